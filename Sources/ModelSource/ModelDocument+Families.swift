import StrataFormats

/// The entities of a document by name, and what follows from references between them.
package struct EntityIndex {
  private let document: ModelDocument
  private let indexes: [String: Int]

  /// Of entities with the same name, the first counts.
  package init(_ document: ModelDocument) {
    self.document = document
    indexes = Dictionary(
      document.entities.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(name: String) -> ModelDocument.Entity? { indexes[name].map { document.entities[$0] } }

  /// Returns an entity and its ancestors, nearest first.
  package func family(of name: String) -> [ModelDocument.Entity] {
    var family: [ModelDocument.Entity] = []
    var names: Set<String> = []
    var next = self[name]
    while let entity = next, names.insert(entity.name).inserted {
      family.append(entity)
      next = entity.parentName.flatMap { self[$0] }
    }
    return family
  }

  /// Whether an entity inherits from itself.
  func isAncestorOfItself(_ name: String) -> Bool {
    guard let parent = self[name]?.parentName else { return false }
    return family(of: parent).contains { $0.name == name }
  }

  /// Returns the entity that declares the inverse of a relationship: its destination, or an ancestor of that; nil if that
  /// relationship does not exist.
  func ownerOfInverse(of relationship: ModelDocument.Relationship) -> ModelDocument.Entity? {
    guard let inverse = relationship.inverseName else { return nil }
    return family(of: relationship.destinationName).first { entity in
      entity.relationships.contains { $0.property.name == inverse }
    }
  }

  /// Whether an entity has, or inherits, a property; or one of its composite attributes has an element.
  /// - Parameter path: a property's name, or a path to an element.
  func hasProperty(at path: String, of entity: ModelDocument.Entity) -> Bool {
    let family = family(of: entity.name)
    guard path.utf8.contains(UInt8(ascii: ".")) else { return family.contains { $0.propertyNames.contains(path) } }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var attributes = family.flatMap(\.attributes)
    for (index, name) in names.enumerated() {
      guard let attribute = attributes.first(where: { $0.property.name == name }) else { return false }
      if index == names.count - 1 { return true }
      guard let composite = attribute.composite else { return false }
      attributes = document.composites.first { $0.name == composite }?.attributes ?? []
    }
    return false
  }
}

extension ModelDocument {
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
  /// The reason no coordinator can use the model; nil if one can.
  func contradiction(_ index: EntityIndex) -> FileFormatError? {
    for entity in entities {
      let names = index.family(of: entity.name).flatMap(\.propertyNames)
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
    guard let definition = attribute.composite, !outer.contains(definition),
      let elements = composites.first(where: { $0.name == definition })?.attributes
    else { return nil }
    let names = elements.map(\.property.name)
    guard Set(names).count == names.count, !names.contains(where: { $0.contains(".") }) else {
      return "Composite attribute '\(name)' has two elements of the same name, or one without a name of its own: "
        + "\(names)."
    }
    for element in elements {
      let path = "\(name).\(element.property.name)"
      if element.composite != nil {
        if let found = contradictionInElements(of: element, named: path, within: outer + [definition]) { return found }
      } else if !element.mayBeElement {
        return "The element '\(path)' is undefined, an object ID, derived or external data, which a composite "
          + "attribute cannot hold."
      }
    }
    return nil
  }
}

extension ModelDocument.Attribute {
  /// The name of the composite that defines the attribute's elements; nil for an attribute without elements.
  var composite: String? { hasDerivation || type != .compositeAttributeType ? nil : compositeName }

  fileprivate var mayBeElement: Bool {
    switch type {
    case .undefinedAttributeType, .objectIDAttributeType: false
    default: !hasDerivation && !allowsExternalBinaryDataStorage
    }
  }
}

/// Version hashes.
extension ModelDocument {
  /// Returns the version hashes of the entities by name, without those of entities that have, or inherit, a derived
  /// attribute: these depend on how an expression is parsed.
  package func hashes() -> [String: [UInt8]] {
    let index = EntityIndex(self)
    var hashes: [String: [UInt8]] = [:]
    for entity in entities {
      let family = index.family(of: entity.name)
      if family.contains(where: { $0.attributes.contains(where: \.hasDerivation) }) { continue }
      // The ancestors come first.
      for (place, member) in family.enumerated().reversed() where hashes[member.name] == nil {
        hashes[member.name] = hash(of: member, family: family[place...], hashes, index)
      }
    }
    return hashes
  }

  /// - Parameters:
  ///   - family: the entity and its ancestors.
  ///   - hashes: the hashes of the ancestors.
  private func hash(
    of entity: Entity, family: ArraySlice<Entity>, _ hashes: [String: [UInt8]], _ index: EntityIndex
  ) -> [UInt8] {
    var properties: [VersionHash.Property] = []
    for owner in family {
      for attribute in owner.attributes where !attribute.property.isTransient { properties.append(hashed(attribute)) }
      for relationship in owner.relationships where !relationship.property.isTransient {
        properties.append(hashed(relationship, of: owner, index))
      }
    }
    return VersionHash.Entity(
      name: entity.name, isAbstract: entity.isAbstract, parent: entity.parentName.flatMap { hashes[$0] },
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

  private func hashed(
    _ relationship: Relationship, of owner: Entity, _ index: EntityIndex
  ) -> VersionHash.Property {
    let inverseOwner = index.ownerOfInverse(of: relationship)?.name
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
