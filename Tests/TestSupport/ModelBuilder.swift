import Foundation
import StrataManagedModel
import StrataPredicates

// Models created in code, for tests of the framework and of the targets that it is built on:
//
//     let model = makeModel(
//       makeEntity("Quake", unique: [["code"]], [attribute("code", optional: false), attribute("time", .date)]),
//       makeEntity("Region", [attribute("name")])
//     ).relate("Region", "quakes", .many, "Quake", "region", .one, rule: .cascadeDeleteRule)

/// A model of entities and of their subentities. A subentity is left out if another entity with its name is given.
public func makeModel(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
  let model = NSManagedObjectModel()
  var all = entities
  var next = 0
  while next < all.count {
    all += all[next].subentities.filter { subentity in !all.contains { $0.name == subentity.name } }
    next += 1
  }
  model.entities = all
  return model
}

/// A model of entities and of their subentities.
public func makeModel(_ entities: NSEntityDescription...) -> NSManagedObjectModel { makeModel(entities) }

/// An entity; `was` is its renaming identifier.
public func makeEntity(
  _ name: String, of type: AnyClass? = nil, abstract: Bool = false, unique: [[String]] = [], was: String? = nil,
  modifier: String? = nil, _ properties: [NSPropertyDescription] = [], subentities: [NSEntityDescription] = []
) -> NSEntityDescription {
  let entity = NSEntityDescription()
  entity.name = name
  if let type { entity.managedObjectClassName = NSStringFromClass(type) }
  entity.isAbstract = abstract
  entity.uniquenessConstraints = unique
  if let was { entity.renamingIdentifier = was }
  entity.versionHashModifier = modifier
  entity.properties = properties
  entity.subentities = subentities
  return entity
}

/// An attribute, by default optional and without a default value; `was` is its renaming identifier.
public func attribute(
  _ name: String, _ type: NSAttributeDescription.AttributeType = .string, was: String? = nil, optional: Bool = true,
  default value: Any? = nil, transient: Bool = false, modifier: String? = nil, external: Bool = false,
  preserved: Bool = false
) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  (attribute.name, attribute.type, attribute.defaultValue) = (name, type, value)
  if let was { attribute.renamingIdentifier = was }
  (attribute.isOptional, attribute.isTransient, attribute.versionHashModifier) = (optional, transient, modifier)
  attribute.allowsExternalBinaryDataStorage = external
  attribute.preservesValueInHistoryOnDeletion = preserved
  return attribute
}

/// An attribute that the store computes with an expression.
public func derivedAttribute(
  _ name: String, _ type: NSAttributeDescription.AttributeType, _ expression: String
) -> NSDerivedAttributeDescription {
  let attribute = NSDerivedAttributeDescription()
  (attribute.name, attribute.type) = (name, type)
  attribute.derivationExpression = StrataPredicates.NSExpression(format: expression)
  return attribute
}

public func compositeAttribute(
  _ name: String, _ elements: [NSAttributeDescription], was: String? = nil, optional: Bool = true
) -> NSCompositeAttributeDescription {
  let composite = NSCompositeAttributeDescription()
  (composite.name, composite.elements, composite.isOptional) = (name, elements, optional)
  if let was { composite.renamingIdentifier = was }
  return composite
}

/// A relationship without an inverse: to-one, or to-many if `max` is not 1; `was` is its renaming identifier.
public func relationship(
  _ name: String, to destination: NSEntityDescription, max: Int = 1, optional: Bool = true, ordered: Bool = false,
  was: String? = nil
) -> NSRelationshipDescription {
  let relationship = NSRelationshipDescription()
  (relationship.name, relationship.destinationEntity, relationship.maxCount) = (name, destination, max)
  (relationship.isOptional, relationship.isOrdered) = (optional, ordered)
  if let was { relationship.renamingIdentifier = was }
  return relationship
}

/// Makes each relationship the other's inverse.
public func join(_ first: NSRelationshipDescription, _ second: NSRelationshipDescription) {
  (first.inverseRelationship, second.inverseRelationship) = (second, first)
}

public enum Arity: Sendable { case one, many, ordered }

extension NSManagedObjectModel {
  /// Adds a relationship to an entity, and its inverse if it is named.
  @discardableResult
  public func relate(
    _ source: String, _ name: String, _ arity: Arity, _ destination: String, _ inverse: String? = nil,
    _ inverseArity: Arity = .many, rule: NSDeleteRule = .nullifyDeleteRule,
    inverseRule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSManagedObjectModel {
    let relationship = add(name, arity, from: source, to: destination, rule)
    if let inverse {
      let isItsOwnInverse = inverse == name && source == destination
      join(
        relationship,
        isItsOwnInverse ? relationship : add(inverse, inverseArity, from: destination, to: source, inverseRule))
    }
    return self
  }

  private func add(
    _ name: String, _ arity: Arity, from source: String, to destination: String, _ rule: NSDeleteRule
  ) -> NSRelationshipDescription {
    guard let source = entitiesByName[source], let destination = entitiesByName[destination] else {
      preconditionFailure("The model has no entity '\(source)' or no entity '\(destination)'.")
    }
    let added = relationship(name, to: destination, max: arity == .one ? 1 : 0, ordered: arity == .ordered)
    added.deleteRule = rule
    // Without inherited properties, which `properties` also contains.
    source.properties = source.properties.filter { $0.entity === source } + [added]
    return added
  }

  /// The model of a later release that is equal to that of an earlier one, but has a different version hash: a store is not
  /// migrated back to an earlier version.
  public func later(_ release: Int = 0) -> NSManagedObjectModel {
    entities.first?.versionHashModifier = "later \(release)"
    return self
  }
}
