import Foundation

extension ModelDifference.EntityChange {
  init(source: NSEntityDescription?, destination: NSEntityDescription) throws {
    let known = source.map { $0.properties.filter(\.isCarried).sorted { $0.name < $1.name } } ?? []
    let properties = try destination.properties.filter(\.isCarried).sorted { $0.name < $1.name }.map { property in
      let origin = RenamingMatch(name: property.name, identifier: property.renamingIdentifier)
        .origin(among: known) { ($0.name, $0.renamingIdentifier) }
      if source != nil {
        try PropertyCheck(source: origin, destination: property, entity: destination.sortName).run()
      }
      return ModelDifference.PropertyChange(source: origin, destination: property)
    }
    self.init(source: source, destination: destination, properties: properties)
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
  let entity: String

  func run() throws {
    switch (source, destination) {
    case (let old as NSAttributeDescription, let new as NSAttributeDescription): try check(old, new)
    case (let old as NSRelationshipDescription, let new as NSRelationshipDescription): try check(old, new)
    case (nil, let new as NSAttributeDescription): try checkValue(of: new)
    case (nil, _): return
    default: throw refusal("Source and destination properties are of different kinds")
    }
  }

  private func check(_ old: NSAttributeDescription, _ new: NSAttributeDescription) throws {
    guard old.attributeType == new.attributeType else {
      throw refusal("Source and destination attribute types are incompatible")
    }
    guard new.allowsExternalBinaryDataStorage || !old.allowsExternalBinaryDataStorage else {
      throw refusal("Data that may lie in files of their own cannot be taken into the store")
    }
    if old.isOptional { try checkValue(of: new) }
  }

  private func checkValue(of new: NSAttributeDescription) throws {
    guard new.isOptional || new.defaultValue != nil || new is NSDerivedAttributeDescription else {
      throw refusal("Validation error missing attribute values on mandatory destination attribute")
    }
  }

  private func check(_ old: NSRelationshipDescription, _ new: NSRelationshipDescription) throws {
    guard new.isToMany || !old.isToMany else {
      throw refusal("A to-many relationship cannot become one to one object")
    }
  }

  private func refusal(_ reason: String) -> CocoaError {
    MappingRefusal(reason, entity: entity, property: destination.name).error
  }
}
