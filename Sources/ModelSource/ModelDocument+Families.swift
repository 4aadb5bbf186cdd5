import StrataFileFormats
import StrataModelTypes

/// What follows from references between the parts of a document.
extension ModelDocument {
  /// Returns an entity and its ancestors, nearest first.
  package func family(of name: String) -> [Entity] {
    var (family, next) = ([Entity](), entities.first { $0.name == name })
    while let entity = next, !family.contains(where: { $0.name == entity.name }) {
      family.append(entity)
      next = entities.first { $0.name == entity.parentName }
    }
    return family
  }

  /// Whether an entity inherits from itself.
  func isAncestorOfItself(_ name: String) -> Bool {
    guard let parent = entities.first(where: { $0.name == name })?.parentName else { return false }
    return family(of: parent).contains { $0.name == name }
  }

  /// Returns the entity that declares the inverse of a relationship: its destination, or an ancestor of that; nil if there
  /// is no such relationship.
  func ownerOfInverse(of relationship: Relationship) -> Entity? {
    family(of: relationship.destinationName).first { entity in
      entity.relationships.contains { $0.property.name == relationship.inverseName }
    }
  }

  /// Whether an entity has, or inherits, a property; or one of its composite attributes has an element.
  /// - Parameter path: a property's name, or a path to an element.
  func hasProperty(at path: String, of entity: Entity) -> Bool {
    let family = family(of: entity.name)
    guard path.utf8.contains(UInt8(ascii: ".")) else { return family.contains { $0.propertyNames.contains(path) } }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var attributes = family.flatMap(\.attributes)
    for (index, name) in names.enumerated() {
      guard let attribute = attributes.first(where: { $0.property.name == name }) else { return false }
      if index == names.count - 1 { return true }
      attributes = composites.first { $0.name == attribute.compositeName }?.attributes ?? []
    }
    return false
  }

  func error(line: Int, _ problem: String) -> FileFormatError { FileFormatError(file: file, line: line, problem) }
}

extension ModelDocument.Entity {
  /// The names of the properties that the entity itself declares.
  package var propertyNames: [String] {
    attributes.map(\.property.name) + relationships.map(\.property.name) + fetchedProperties.map(\.property.name)
  }
}

/// Contradictions.
extension ModelDocument {
  /// Why no coordinator can use the model; nil if one can.
  var contradiction: FileFormatError? {
    if entities.count > 4_095 {
      return error(line: 1, "A model may have 4,095 entities; this one has \(entities.count).")
    }
    for entity in entities {
      let names = family(of: entity.name).flatMap(\.propertyNames)
      if Set(names).count != names.count {
        return error(line: entity.line, "Entity '\(entity.name)' has two properties of the same name: \(names).")
      }
      for attribute in entity.attributes {
        let name = "\(entity.name).\(attribute.property.name)"
        if let problem = contradiction(in: attribute, named: name) {
          return error(line: attribute.property.line, problem)
        }
      }
    }
    return nil
  }

  private func contradiction(in attribute: Attribute, named name: String) -> String? {
    guard attribute.property.isTransient || attribute.type != .undefinedAttributeType else {
      return "Attribute '\(name)' has no type; only a transient one may."
    }
    guard attribute.property.isTransient || attribute.type != .objectIDAttributeType else {
      return "Attribute '\(name)' is an object ID, which no store holds; only a transient one may be."
    }
    return contradictionInElements(of: attribute, named: name, within: [])
  }

  private func contradictionInElements(of attribute: Attribute, named name: String, within outer: [String]) -> String? {
    // The assembly finds a missing composite, and one that contains itself.
    guard !attribute.hasDerivation, attribute.type == .compositeAttributeType, let definition = attribute.compositeName,
      !outer.contains(definition), let elements = composites.first(where: { $0.name == definition })?.attributes
    else { return nil }
    let names = elements.map(\.property.name)
    guard Set(names).count == names.count, !names.contains(where: { $0.contains(".") }) else {
      return "Composite attribute '\(name)' has two elements of the same name, or one without a name of its own: "
        + "\(names)."
    }
    for element in elements {
      let path = "\(name).\(element.property.name)"
      if let found = contradictionInElements(of: element, named: path, within: outer + [definition]) { return found }
      guard element.mayBeElement else {
        return "The element '\(path)' is undefined, an object ID, derived or external data, which a composite "
          + "attribute cannot hold."
      }
    }
    return nil
  }
}

extension ModelDocument.Attribute {
  fileprivate var mayBeElement: Bool {
    switch type {
    case .undefinedAttributeType, .objectIDAttributeType: false
    default: !hasDerivation && !allowsExternalBinaryDataStorage
    }
  }
}

/// Version hashes.
extension ModelDocument {
  /// Returns the hash of an entity; nil if it has, or inherits, a derived attribute: its hash depends on how its
  /// expression is parsed.
  package func hash(of entity: Entity) -> [UInt8]? {
    let family = family(of: entity.name)
    guard !family.contains(where: { $0.attributes.contains(where: \.hasDerivation) }) else { return nil }
    let properties = family.flatMap { owner in
      owner.attributes.filter { !$0.property.isTransient }.map(hashed)
        + owner.relationships.filter { !$0.property.isTransient }.map { hashed($0, of: owner) }
    }
    return VersionHash.Entity(
      name: entity.name, isAbstract: entity.isAbstract, parent: family.dropFirst().first.flatMap(hash),
      properties: properties, modifier: entity.versionHashModifier, constraints: entity.uniquenessConstraints
    ).hash
  }

  private func hashed(_ attribute: Attribute) -> VersionHash.Property {
    hashed(
      attribute.property,
      .attribute(
        attribute.type, isExternal: attribute.allowsExternalBinaryDataStorage,
        isPreserved: attribute.preservesValueInHistoryOnDeletion, elements: []))
  }

  private func hashed(_ relationship: Relationship, of owner: Entity) -> VersionHash.Property {
    let inverseOwner = ownerOfInverse(of: relationship)?.name
    let isOwnInverse = inverseOwner == owner.name && relationship.inverseName == relationship.property.name
    return hashed(
      relationship.property,
      .relationship(
        destination: relationship.destinationName,
        inverse: inverseOwner == nil || isOwnInverse ? nil : relationship.inverseName,
        minCount: relationship.minCount, maxCount: relationship.maxCount, isOrdered: relationship.isOrdered))
  }

  private func hashed(_ property: Property, _ content: VersionHash.Content) -> VersionHash.Property {
    VersionHash.Property(
      name: property.name, isOptional: property.isOptional, modifier: property.versionHashModifier, content: content)
  }
}
