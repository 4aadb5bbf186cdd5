import Foundation

/// Copies descriptions that refer to each other: references between originals become references between copies.
///
/// References to descriptions that are not copied stay, except inverses: those would not refer back, and are found by
/// name once the copy is in a model with its destination.
struct ModelCopies {
  private var entities: [ObjectIdentifier: NSEntityDescription] = [:]
  private var byName: [String: NSEntityDescription] = [:]

  /// Copies entities with everything they declare. Of entities with the same name, the first is copied and represents
  /// all.
  init(of originals: [NSEntityDescription]) {
    var copied: [NSEntityDescription] = []
    for original in originals where copy(of: original) == nil {
      let copy = original.copyAlone()
      entities[ObjectIdentifier(original)] = copy
      if let name = original.name { byName[name] = copy }
      copied.append(original)
    }
    for original in copied { connect(original) }
  }

  /// Returns the entities themselves, or copies of those that belong to a model.
  static func ofStrangers(among entities: [NSEntityDescription]) -> [NSEntityDescription] {
    let strangers = entities.filter { $0.model != nil }
    guard !strangers.isEmpty else { return entities }
    let copies = ModelCopies(of: strangers)
    return entities.map { $0.model == nil ? $0 : copies.entity($0) }
  }

  private func copy(of original: NSEntityDescription) -> NSEntityDescription? {
    entities[ObjectIdentifier(original)] ?? original.name.flatMap { byName[$0] }
  }

  func entity(_ original: NSEntityDescription) -> NSEntityDescription { copy(of: original) ?? original }

  private func copy(of original: NSPropertyDescription) -> NSPropertyDescription? {
    original.declaringEntity.flatMap { copy(of: $0) }?.ownProperties.first { $0.name == original.name }
  }

  private func connect(_ original: NSEntityDescription) {
    let copy = entity(original)
    copy.subentities = original.subentities.compactMap { self.copy(of: $0) }
    for case let relationship as NSRelationshipDescription in original.ownProperties {
      guard let own = self.copy(of: relationship) as? NSRelationshipDescription else { continue }
      // The copy already refers to descriptions that are not copied, if only by name.
      if let end = relationship.destinationEntity.flatMap({ self.copy(of: $0) }) { own.destinationEntity = end }
      let inverse = relationship.inverseRelationship.flatMap { self.copy(of: $0) as? NSRelationshipDescription }
      if let inverse { own.inverseRelationship = inverse }
    }
    copy.uniquenessConstraints = original.uniquenessConstraints.map { names in names.map { member($0, of: original) } }
    copy.indexes = original.indexes.map { index($0, of: original) }
  }

  private func member(_ member: Any, of original: NSEntityDescription) -> Any {
    (member as? NSPropertyDescription).map { copy(of: $0, in: original) } ?? member
  }

  private func index(_ index: NSFetchIndexDescription, of original: NSEntityDescription) -> NSFetchIndexDescription {
    index.copyAlone { property in property.map { copy(of: $0, in: original) } }
  }

  /// Returns the copy of a property, or of an element of a composite attribute, of an entity.
  private func copy(of property: NSPropertyDescription, in original: NSEntityDescription) -> NSPropertyDescription {
    copy(of: property) ?? (property is NSExpressionDescription ? nil : element(property, of: original)) ?? property
  }

  private func element(_ property: NSPropertyDescription, of original: NSEntityDescription) -> NSPropertyDescription? {
    let path = original.path(of: property)
    guard let dot = path.firstIndex(of: "."), let owner = original.propertiesByName[String(path[..<dot])] else {
      return nil
    }
    return owner.declaringEntity.flatMap { copy(of: $0) }?.property(at: path)
  }
}

extension NSManagedObjectModel: NSCopying {
  /// Returns a copy that can be changed, with copies of all entities.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSManagedObjectModel()
    copy.copyEntities(entitiesOf: [self])
    return copy
  }

  /// Creates a model from copies of the entities of several models. Entities with the same name must be equal.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    self.init()
    let models = models ?? []
    var hashes: [String: Data] = [:]
    for entity in models.flatMap(\.entities) {
      let name = entity.name ?? ""
      guard hashes.updateValue(entity.versionHash, forKey: name) ?? entity.versionHash == entity.versionHash else {
        fatalError("Can't merge models with two different entities named '\(name)'")
      }
    }
    copyEntities(entitiesOf: models)
  }

  /// Creates the model that a store was written with from the entities of several models; nil if any entity of the
  /// store is missing.
  /// - Parameters:
  ///   - models: the models to search, including older versions.
  ///   - metadata: the metadata of the store.
  public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
    guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return nil }
    self.init()
    copyEntities(entitiesOf: models) { hashes[$0.name ?? ""] == $0.versionHash }
    guard Set(entities.compactMap(\.name)) == Set(hashes.keys) else { return nil }
  }

  private func copyEntities(
    entitiesOf models: [NSManagedObjectModel], where isWanted: (NSEntityDescription) -> Bool = { _ in true }
  ) {
    let wanted = models.flatMap(\.entities).filter(isWanted)
    let copies = ModelCopies(of: wanted)
    var taken: Set<ObjectIdentifier> = []
    entities = wanted.map(copies.entity).filter { taken.insert(ObjectIdentifier($0)).inserted }
    for model in models {
      versionIdentifiers.formUnion(model.versionIdentifiers)
      for (key, text) in model.localizationDictionary ?? [:] {
        localizationDictionary = (localizationDictionary ?? [:]).merging([key: text]) { own, _ in own }
      }
      fetchTemplates.merge(model.fetchTemplates) { own, _ in own }
      for name in model.configurations {
        let members = (model.entities(forConfigurationName: name) ?? []).filter(isWanted).map(copies.entity)
        let known = entities(forConfigurationName: name) ?? []
        setEntities(known + members.filter { member in !known.contains { $0 === member } }, forConfigurationName: name)
      }
    }
  }
}

extension NSEntityDescription: NSCopying {
  /// Returns a copy of the entity that belongs to no model, with copies of its own properties and its subentities.
  ///
  /// The copy has no superentity. Relationships to other entities keep their destination but lose their inverse.
  public func copy(with zone: NSZone? = nil) -> Any {
    var family = [self]
    var next = 0
    while next < family.count {
      family += family[next].subentities
      next += 1
    }
    return ModelCopies(of: family).entity(self)
  }

  /// Returns a copy without references to other descriptions.
  fileprivate func copyAlone() -> NSEntityDescription {
    let copy = NSEntityDescription()
    copy.copyFacts(from: self)
    copy.properties = ownProperties.map { $0.makeCopy() }
    return copy
  }

  /// Copies what an entity has besides references to other descriptions.
  func copyFacts(from other: NSEntityDescription) {
    name = other.name
    managedObjectClassName = other.managedObjectClassName
    classHome = other.classHome
    isAbstract = other.isAbstract
    renamingIdentifier = other.renamingIdentifier == other.name ? nil : other.renamingIdentifier
    versionHashModifier = other.versionHashModifier
    userInfo = other.userInfo
  }
}

extension NSFetchIndexDescription: NSCopying {
  /// Returns a copy of the index that belongs to no entity, with copies of its elements.
  public func copy(with zone: NSZone? = nil) -> Any { copyAlone { $0 } }

  func copyAlone(_ map: (NSPropertyDescription?) -> NSPropertyDescription?) -> NSFetchIndexDescription {
    let copy = NSFetchIndexDescription(name: name, elements: elements.compactMap { $0.copyAlone(map) })
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }
}

extension NSFetchIndexElementDescription: NSCopying {
  /// Returns a copy of the element that belongs to no index, for the same property.
  public func copy(with zone: NSZone? = nil) -> Any { copyAlone { $0 } ?? self }

  fileprivate func copyAlone(
    _ map: (NSPropertyDescription?) -> NSPropertyDescription?
  ) -> NSFetchIndexElementDescription? {
    guard let property = map(property) else { return nil }
    let copy = NSFetchIndexElementDescription(property: property, collationType: collationType)
    copy.isAscending = isAscending
    return copy
  }
}

extension NSPropertyDescription: NSCopying {
  /// Returns a copy of the property that belongs to no entity. A relationship keeps its destination and inverse.
  public func copy(with zone: NSZone? = nil) -> Any { makeCopy() }
}
