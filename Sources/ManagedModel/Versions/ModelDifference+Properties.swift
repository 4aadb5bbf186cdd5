import Foundation

extension ModelDifference.EntityChange {
  init(source: NSEntityDescription?, destination: NSEntityDescription) {
    let known = source?.properties.carriedByName ?? []
    let properties = destination.properties.carriedByName.map { ModelDifference.PropertyChange($0, from: known) }
    self.init(source: source, destination: destination, properties: properties)
  }

  /// The properties to which the values of existing rows cannot be converted.
  var refusals: [MappingRefusal] {
    guard source != nil, let destination else { return [] }
    return properties.flatMap { $0.refusals(in: destination.sortName, within: "") }
  }

  /// Returns the change of a property of the destination.
  package func change(to name: String) -> ModelDifference.PropertyChange? {
    properties.first { $0.destination.name == name }
  }

  /// Returns the name of the source of an attribute or to-one relationship of the destination, by name, and whether the
  /// source is optional; paths for elements of composite attributes. nil if it is new.
  package func origin(of path: String) -> (path: String, isOptional: Bool)? {
    var names = path.split(separator: ".").map(String.init)[...]
    guard let first = names.popFirst(), var property = change(to: first)?.source else { return nil }
    var changes = change(to: first)?.elements ?? []
    var origin = property.name
    for name in names {
      guard let change = changes.first(where: { $0.destination.name == name }), let source = change.source else {
        return nil
      }
      (property, changes) = (source, change.elements)
      origin += "." + source.name
    }
    return (origin, property.isOptional)
  }
}

extension ModelDifference.PropertyChange {
  init(_ destination: NSPropertyDescription, from known: [NSPropertyDescription]) {
    // An attribute never becomes a relationship: one leaves, and the other is new, even under the same name.
    let isRelationship = destination is NSRelationshipDescription
    let origin = RenamingMatch(name: destination.name, identifier: destination.renamingIdentifier)
      .origin(among: known.filter { $0 is NSRelationshipDescription == isRelationship }) {
        ($0.name, $0.renamingIdentifier)
      }
    self.init(source: origin, destination: destination)
  }

  /// The changes of a composite attribute's elements, by name; those of a new one are new.
  package var elements: [ModelDifference.PropertyChange] {
    guard let composite = destination as? NSCompositeAttributeDescription else { return [] }
    let known = (source as? NSCompositeAttributeDescription)?.elements.carriedByName ?? []
    return composite.elements.carriedByName.map { ModelDifference.PropertyChange($0, from: known) }
  }

  fileprivate func refusals(in entity: String, within path: String) -> [MappingRefusal] {
    let name = path + destination.name
    if let obstacle = PropertyCheck(source: source, destination: destination).obstacle {
      return [
        MappingRefusal(
          obstacle.reason, entity: entity, property: name, advice: obstacle.advice,
          dependsOnRows: obstacle.dependsOnRows)
      ]
    }
    // In a composite attribute that starts as nil, nothing is required.
    let isNil = source == nil && (destination as? NSAttributeDescription)?.defaultValue == nil
    return isNil ? [] : elements.flatMap { $0.refusals(in: entity, within: name + ".") }
  }
}

extension [NSPropertyDescription] {
  fileprivate var carriedByName: [NSPropertyDescription] { filter(\.isCarried).sorted { $0.name < $1.name } }
}

extension [NSAttributeDescription] {
  fileprivate var carriedByName: [NSPropertyDescription] { (self as [NSPropertyDescription]).carriedByName }
}

extension NSPropertyDescription {
  /// Whether rows contain the property's value.
  fileprivate var isCarried: Bool {
    !isTransient && (self is NSAttributeDescription || self is NSRelationshipDescription)
  }
}

/// Checks whether the values of a property can be converted to those of another.
private struct PropertyCheck {
  let source: NSPropertyDescription?
  let destination: NSPropertyDescription

  struct Obstacle {
    let reason: String
    var advice = MappingRefusal.rename
    var dependsOnRows = false
  }

  /// The obstacle to the conversion; nil if the values can be converted.
  var obstacle: Obstacle? {
    switch (source, destination) {
    case (let old as NSAttributeDescription, let new as NSAttributeDescription): obstacle(from: old, to: new)
    case (let old as NSRelationshipDescription, let new as NSRelationshipDescription): obstacle(from: old, to: new)
    case (nil, let new as NSAttributeDescription): missingValue(of: new)
    default: nil
    }
  }

  private func obstacle(from old: NSAttributeDescription, to new: NSAttributeDescription) -> Obstacle? {
    guard old.attributeType == new.attributeType || Self.isWider(new.attributeType, than: old.attributeType) else {
      return Obstacle(reason: "Source and destination attribute types are incompatible")
    }
    guard new.allowsExternalBinaryDataStorage || !old.allowsExternalBinaryDataStorage else {
      return Obstacle(reason: "Data that may be in external files cannot be moved into the store")
    }
    // No single column tells which rows have no value at all and would need one.
    if new is NSCompositeAttributeDescription { return old.isOptional && !new.isOptional ? Self.lacksValue : nil }
    guard old.isOptional, var obstacle = missingValue(of: new) else { return nil }
    obstacle.dependsOnRows = true
    return obstacle
  }

  /// Whether every value of one integer type is a value of another one.
  private static func isWider(_ new: NSAttributeType, than old: NSAttributeType) -> Bool {
    let widths: [NSAttributeType] = [.integer16AttributeType, .integer32AttributeType, .integer64AttributeType]
    guard let before = widths.firstIndex(of: old), let after = widths.firstIndex(of: new) else { return false }
    return before < after
  }

  private func missingValue(of new: NSAttributeDescription) -> Obstacle? {
    new.isOptional || new.defaultValue != nil || new is NSDerivedAttributeDescription
      ? nil : Self.lacksValue
  }

  private static let lacksValue = Obstacle(
    reason: "Validation error missing attribute values on mandatory destination attribute",
    advice: "Give the attribute a default value, make it optional")

  private func obstacle(from old: NSRelationshipDescription, to new: NSRelationshipDescription) -> Obstacle? {
    new.isToMany || !old.isToMany ? nil : Obstacle(reason: "A to-many relationship cannot become one to one object")
  }
}
