import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates

/// Evaluates the expressions of a mapping.
extension NSMigrationManager {
  /// The old objects that a mapping applies to. A source expression is a list of objects or a fetch request; predicates
  /// that the old store cannot evaluate are evaluated in memory.
  func sources(of mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws -> [NSManagedObject] {
    guard mapping.mappingType != .removeEntityMappingType, let entity = sourceEntity(for: mapping) else { return [] }
    guard let expression = mapping.sourceExpression else {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      return try sourceContext.fetch(request)
    }
    let variables = variables([NSMigrationEntityMappingKey: mapping, NSMigrationEntityPolicyKey: policy])
    var value = try value(
      of: expression, for: nil, variables: variables, part: "the source expression", mapping: mapping)
    if let request = value as? any PredicateFetchRequest {
      let fetch = ExpressionNode.fetch(
        .value(.reference(PredicateReference(request))),
        in: .value(.reference(PredicateReference(sourceContext))), countOnly: false)
      value = try self.value(
        of: .expression(with: fetch), for: nil, variables: variables, part: "the source expression", mapping: mapping)
    }
    guard let objects = value as? [Any] else {
      throw failure(
        "the source expression", mapping: mapping,
        reason: "it is \(value ?? "nil"), and neither objects nor a fetch request")
    }
    return objects.compactMap { $0 as? NSManagedObject }
  }

  /// Sets an attribute of a new object from its mapping.
  func setAttribute(
    _ property: NSPropertyMapping, of destination: NSManagedObject, from source: NSManagedObject,
    in mapping: NSEntityMapping, policy: NSEntityMigrationPolicy
  ) throws {
    guard let key = property.name, let expression = property.valueExpression else { return }
    // A value that is not used on the way need not be readable.
    if let (owner, name) = transformable(at: expression, of: source),
      destination.takesBytes(forKey: key, from: owner, name)
    {
      return
    }
    let variables = variables(
      mapping: mapping, property: property, policy: policy, source: source, destination: destination)
    let value = try value(of: expression, for: source, variables: variables, part: "'\(key)'", mapping: mapping)
    guard destination.takes(value, forKey: key) else {
      let entity = destination.entity.name ?? ""
      throw failure(
        "'\(key)'", mapping: mapping,
        reason: destination.entity.attributesByName[key] == nil
          ? "the entity '\(entity)' has no such attribute" : "'\(entity).\(key)' does not take \(value ?? "nil")")
    }
  }

  /// Sets a relationship of a new object from its mapping: old objects that the expression yields are replaced by what
  /// they became.
  func setRelationship(
    _ property: NSPropertyMapping, of destination: NSManagedObject, from source: NSManagedObject?,
    in mapping: NSEntityMapping, policy: NSEntityMigrationPolicy
  ) throws {
    guard let key = property.name, let expression = property.valueExpression else { return }
    guard let relationship = destination.entity.relationshipsByName[key] else {
      throw failure(
        "'\(key)'", mapping: mapping, reason: "the entity '\(destination.entity.name ?? "")' has no such relationship")
    }
    let variables = variables(
      mapping: mapping, property: property, policy: policy, source: source, destination: destination)
    let found = migrated(
      try value(of: expression, for: source, variables: variables, part: "'\(key)'", mapping: mapping))
    // An old object may have become several, also through mappings to other entities.
    let members = found.filter { member in
      relationship.destinationEntity.map { member.entity.isKindOf(entity: $0) } ?? false
    }
    guard !members.isEmpty || found.isEmpty else {
      throw failure(
        "'\(key)'", mapping: mapping,
        reason: "it leads to objects of an entity other than '\(relationship.destinationEntity?.name ?? "")'")
    }
    switch (relationship.isToMany, relationship.isOrdered) {
    case (false, _): destination.setValue(members.first, forKey: key)
    case (true, true): destination.setValue(NSOrderedSet(array: members), forKey: key)
    case (true, false): destination.setValue(NSSet(array: members), forKey: key)
    }
  }

  // MARK: Parts

  /// The variables available to a property mapping's expressions.
  private func variables(
    mapping: NSEntityMapping, property: NSPropertyMapping, policy: NSEntityMigrationPolicy,
    source: NSManagedObject?, destination: NSManagedObject
  ) -> NSMutableDictionary {
    variables([
      NSMigrationSourceObjectKey: source ?? NSNull(), NSMigrationDestinationObjectKey: destination,
      NSMigrationEntityMappingKey: mapping, NSMigrationPropertyMappingKey: property, NSMigrationEntityPolicyKey: policy,
    ])
  }

  private func variables(_ entries: [String: Any]) -> NSMutableDictionary {
    let dictionary = NSMutableDictionary(object: self, forKey: NSMigrationManagerKey as NSString)
    for (name, value) in entries { dictionary.setObject(value, forKey: name as NSString) }
    return dictionary
  }

  private func value(
    of expression: StrataPredicates.NSExpression, for source: NSManagedObject?, variables: NSMutableDictionary,
    part: String, mapping: NSEntityMapping
  ) throws -> Any? {
    do {
      let node = try expression.node.mapping { node in self.readable(node, source: source) }
      return try StrataPredicates.NSExpression.expression(with: node).evaluated(with: source, context: variables)
    } catch {
      throw failure(part, mapping: mapping, reason: "\(error)", cause: error)
    }
  }

  /// Replaces a transformable attribute of the old object by its value, since a predicate compares bytes.
  private func readable(_ node: ExpressionNode, source: NSManagedObject?) -> ExpressionNode {
    guard let source, let (owner, name) = transformable(at: node, of: source) else { return node }
    return .opaque(
      OpaqueExpression(node.description, source: owner) { _, _ in PredicateResult(plain: owner.value(forKey: name)) })
  }

  private func transformable(
    at expression: StrataPredicates.NSExpression, of source: NSManagedObject
  ) -> (owner: NSManagedObject, name: String)? {
    (try? expression.node).flatMap { transformable(at: $0, of: source) }
  }

  /// The transformable attribute at the end of `$source.path`, and its object.
  private func transformable(
    at node: ExpressionNode, of source: NSManagedObject
  ) -> (owner: NSManagedObject, name: String)? {
    guard case .path(of: .variable(NSMigrationSourceObjectKey), let path) = node, let name = path.last else {
      return nil
    }
    var owner = source
    for key in path.dropLast() {
      guard owner.entity.relationshipsByName[key]?.isToMany == false,
        let next = owner.value(forKey: key) as? NSManagedObject
      else { return nil }
      owner = next
    }
    return owner.entity.attributesByName[name]?.attributeType == .transformableAttributeType ? (owner, name) : nil
  }

  /// The result of an expression, as objects of the new store.
  private func migrated(_ value: Any?) -> [NSManagedObject] {
    switch value {
    case let object as NSManagedObject:
      object.managedObjectContext === sourceContext ? successors(of: object) : [object]
    case let objects as NSOrderedSet: objects.array.flatMap(migrated)
    case let objects as NSSet: objects.allObjects.flatMap(migrated)
    case let objects as [Any]: objects.flatMap(migrated)
    default: []
    }
  }

  private func failure(
    _ part: String, mapping: NSEntityMapping, reason: String, cause: (any Error)? = nil
  ) -> CocoaError {
    CocoaError.coreData(
      .migration, "Cannot work out \(part) of the entity mapping '\(mapping.name ?? "")': \(reason)", cause: cause)
  }
}
