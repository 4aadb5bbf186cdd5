import Foundation

extension ModelDifference.EntityChange {
  init(source: NSEntityDescription?, destination: NSEntityDescription) {
    let known = source.map { $0.properties.filter(\.isCarried).sorted { $0.name < $1.name } } ?? []
    let properties = destination.properties.filter(\.isCarried).sorted { $0.name < $1.name }.map { property in
      let origin = RenamingMatch(name: property.name, identifier: property.renamingIdentifier)
        .origin(among: known) { ($0.name, $0.renamingIdentifier) }
      return ModelDifference.PropertyChange(source: origin, destination: property)
    }
    self.init(source: source, destination: destination, properties: properties)
  }

  /// What the values of the rows that there are cannot become.
  var refusals: [MappingRefusal] {
    guard source != nil, let destination else { return [] }
    return properties.compactMap { change in
      PropertyCheck(source: change.source, destination: change.destination).obstacle
        .map { MappingRefusal($0, entity: destination.sortName, property: change.destination.name) }
    }
  }

  /// What becomes of a property of the destination.
  package func change(to name: String) -> ModelDifference.PropertyChange? {
    properties.first { $0.destination.name == name }
  }
}

extension NSPropertyDescription {
  /// Whether rows hold the property's value.
  fileprivate var isCarried: Bool {
    !isTransient && (self is NSAttributeDescription || self is NSRelationshipDescription)
  }
}

/// Whether the values of a property can become those of another.
private struct PropertyCheck {
  let source: NSPropertyDescription?
  let destination: NSPropertyDescription

  /// nil if nothing stands in the way.
  var obstacle: String? {
    switch (source, destination) {
    case (let old as NSAttributeDescription, let new as NSAttributeDescription): obstacle(old, new)
    case (let old as NSRelationshipDescription, let new as NSRelationshipDescription): obstacle(old, new)
    case (nil, let new as NSAttributeDescription): missingValue(of: new)
    case (nil, _): nil
    default: "Source and destination properties are of different kinds"
    }
  }

  private func obstacle(_ old: NSAttributeDescription, _ new: NSAttributeDescription) -> String? {
    guard old.attributeType == new.attributeType else {
      return "Source and destination attribute types are incompatible"
    }
    guard new.allowsExternalBinaryDataStorage || !old.allowsExternalBinaryDataStorage else {
      return "Data that may lie in files of their own cannot be taken into the store"
    }
    return old.isOptional ? missingValue(of: new) : nil
  }

  private func missingValue(of new: NSAttributeDescription) -> String? {
    new.isOptional || new.defaultValue != nil || new is NSDerivedAttributeDescription
      ? nil : "Validation error missing attribute values on mandatory destination attribute"
  }

  private func obstacle(_ old: NSRelationshipDescription, _ new: NSRelationshipDescription) -> String? {
    new.isToMany || !old.isToMany ? nil : "A to-many relationship cannot become one to one object"
  }
}
