import Foundation
import StrataFormats
import StrataModelSource
import StrataPredicates
import StrataSupport

/// Reads Apple's compiled model: the keyed archive of an `NSManagedObjectModel`, which is a `.mom` file and, once
/// decompressed, a store's `Z_MODELCACHE`.
///
///     NSManagedObjectModel     NSEntities (by name), NSConfigurations, NSFetchRequestTemplates, NSVersionIdentifiers
///     NSEntityDescription      NSEntityName, NSClassNameForEntity, NSIsAbstract, NSProperties (inherited ones too, as
///                              copies or as _NSPropertyDescriptionProxy), NSSuperentity, NSUniqueTuples,
///                              NSFetchIndexDescriptions, NSRenamingIdentifier, NSVersionHashModifier, NSUserInfo
///     properties               NSPropertyName, NSIsOptional, NSIsTransient, NSValidationPredicates and -Warnings, …
///
/// The keys are those of archives that Apple's framework wrote.
struct ArchivedModel {
  let archive: KeyedArchive
  let file: String
  let model: NSManagedObjectModel
  var warnings: [ModelWarning] = []
  var entities: [String: NSEntityDescription] = [:]
  var sources: [(entity: NSEntityDescription, object: ArchivedObject)] = []

  /// Decodes the archive into an empty model.
  /// - Parameter file: the name of the archive in errors and warnings.
  @discardableResult
  init(_ bytes: [UInt8], file: String, into model: NSManagedObjectModel) throws(FileFormatError) {
    guard let archive = KeyedArchive(bytes), let root = archive.object(archive.root) else {
      throw FileFormatError(file: file, "expected a keyed archive in a binary property list")
    }
    guard root.className == "NSManagedObjectModel" else {
      throw FileFormatError(file: file, "expected the archive of an NSManagedObjectModel, found \(root.className)")
    }
    self.archive = archive
    self.file = file
    self.model = model
    makeEntities(of: root)
    makeHierarchy()
    try makeProperties()
    connectRelationships()
    for (entity, object) in sources {
      entity.uniquenessConstraints = constraints(of: object)
      entity.indexes = indexes(of: object, entity)
    }
    model.entities = sources.map(\.entity)
    if let contradiction = model.contradiction { throw FileFormatError(file: file, contradiction) }
    takeOver(root)
    try archive.refuseSpent(file: file)
  }

  mutating func warn(_ text: String) { warnings.append(ModelWarning(file: file, text)) }

  private mutating func makeEntities(of root: ArchivedObject) {
    for (name, value) in root.dictionary("NSEntities") {
      guard case .object(let uid) = value, let object = archive.object(uid) else { continue }
      let entity = NSEntityDescription()
      entity.name = object.text("NSEntityName") ?? name
      entity.managedObjectClassName = Self.className(object.text("NSClassNameForEntity") ?? "NSManagedObject")
      entity.isAbstract = object.flag("NSIsAbstract")
      entity.renamingIdentifier = object.text("NSRenamingIdentifier").flatMap { $0 == entity.name ? nil : $0 }
      entity.versionHashModifier = object.text("NSVersionHashModifier")
      entity.userInfo = userInfo(of: object)
      entities[name] = entity
      sources.append((entity, object))
    }
    // The archive has them in hash table order.
    sources.sort { ($0.entity.name ?? "") < ($1.entity.name ?? "") }
  }

  /// A compiler without a module name keeps the leading dot that stands for it.
  static func className(_ name: String) -> String { name.hasPrefix(".") ? String(name.dropFirst()) : name }

  func userInfo(of object: ArchivedObject) -> [String: Any] {
    Dictionary(
      object.dictionary("NSUserInfo").compactMap { key, value in archive.constant(value).map { (key, $0) } },
      uniquingKeysWith: { _, last in last })
  }

  private func makeHierarchy() {
    for (entity, object) in sources {
      guard let parentName = object.object("NSSuperentity")?.text("NSEntityName") else { continue }
      entities[parentName]?.subentities.append(entity)
    }
  }

  private mutating func takeOver(_ root: ArchivedObject) {
    model.versionIdentifiers = Set(root.texts("NSVersionIdentifiers").map { AnyHashable($0) })
    for (name, value) in root.dictionary("NSConfigurations") {
      guard case .object(let uid) = value, let members = archive.object(uid)?.members else { continue }
      let names = members.compactMap { member -> String? in
        guard case .object(let uid) = member else { return nil }
        return archive.object(uid)?.text("NSEntityName")
      }
      model.setEntities(names.sorted().compactMap { entities[$0] }, forConfigurationName: name)
    }
    for (name, value) in root.dictionary("NSFetchRequestTemplates") {
      guard case .object(let uid) = value, let object = archive.object(uid) else { continue }
      model.fetchTemplates[name] = template(
        object, entityName: object.object("NSEntity")?.text("NSEntityName"), name: name)
    }
  }

  /// Returns nil, with a warning, for a predicate that this framework does not support.
  mutating func predicate(_ object: ArchivedObject?, of what: String) -> NSPredicate? {
    guard let object else { return nil }
    do throws(ArchivedPredicate.Unreadable) {
      return .predicate(with: try ArchivedPredicate(archive: archive).predicate(object))
    } catch {
      warn("the predicate of \(what) has \(error.problem) and is left out")
      return nil
    }
  }
}

/// Fetch requests, indexes, constraints.
extension ArchivedModel {
  mutating func template(_ object: ArchivedObject, entityName: String?, name: String) -> FetchTemplate {
    var template = FetchTemplate(entityName: entityName)
    template.predicate = predicate(object.object("NSPredicate"), of: "the fetch request \(name)")
    template.havingPredicate = predicate(object.object("NSHavingPredicate"), of: "the fetch request \(name)")
    template.sortDescriptors = object.members("NSSortDescriptors").compactMap(sort)
    template.fetchLimit = object.integer("NSFetchLimit") ?? 0
    template.fetchOffset = object.integer("NSFetchOffset") ?? 0
    template.fetchBatchSize = object.integer("NSBatchSize") ?? 0
    template.resultType = UInt(exactly: object.integer("NSResultType") ?? 0) ?? 0
    template.propertiesToFetch = names(of: object, key: "NSValuesToFetch")
    template.propertiesToGroupBy = names(of: object, key: "NSValuesToGroupBy")
    template.relationshipKeyPathsForPrefetching = names(of: object, key: "NSRelationshipKeyPathsForPrefetching")
    if object.flag("NSHasFetchRequestFlags"), let flags = object.integer("NSFetchRequestFlags") {
      template.setFlags(flags)
    }
    return template
  }

  private func names(of object: ArchivedObject, key: String) -> [String]? {
    let names = object.members(key).compactMap { member in
      archive.text(member) ?? archive.object(member)?.text("NSPropertyName")
    }
    return names.isEmpty ? nil : names
  }

  private func sort(_ member: KeyedArchive.Value) -> NSSortDescriptor? {
    guard let object = archive.object(member), let key = object.text("NSKey") else { return nil }
    return NSSortDescriptor(
      key: key, ascending: object.flag("NSAscending"), selector: Selector(object.text("NSSelector") ?? "compare:"))
  }

  private func constraints(of object: ArchivedObject) -> [[Any]] {
    object.members("NSUniqueTuples").compactMap { tuple in
      archive.object(tuple)?.members.compactMap { member in
        archive.text(member) ?? archive.object(member)?.text("NSPropertyName")
      }
    }
  }

  private mutating func indexes(of object: ArchivedObject, _ entity: NSEntityDescription) -> [NSFetchIndexDescription] {
    var indexes: [NSFetchIndexDescription] = []
    for member in object.members("NSFetchIndexDescriptions") {
      guard let source = archive.object(member), let name = source.text("NSIndexName") else { continue }
      let elements = source.members("NSIndexElements").compactMap { element($0, of: entity) }
      guard !NSFetchIndexDescription.isMixture(elements) else {
        warn("the index \(name) of \(entity.name ?? "") is left out: it has two collation types")
        continue
      }
      let index = NSFetchIndexDescription(name: name, elements: elements)
      index.partialIndexPredicate = predicate(source.object("NSPartialIndexPredicate"), of: "the index \(name)")
      indexes.append(index)
    }
    return indexes
  }

  private mutating func element(
    _ member: KeyedArchive.Value, of entity: NSEntityDescription
  ) -> NSFetchIndexElementDescription? {
    guard let source = archive.object(member) else { return nil }
    guard let property = indexedProperty(source, of: entity) else { return nil }
    let element = NSFetchIndexElementDescription(
      property: property, collationType: source.integer("NSFetchIndexElementType") == 1 ? .rTree : .binary)
    element.isAscending = source.flag("NSAscending")
    return element
  }
}

extension ArchivedModel {
  private mutating func indexedProperty(
    _ element: ArchivedObject, of entity: NSEntityDescription
  ) -> NSPropertyDescription? {
    let indexed = element.object("NSIndexedProperty")
    let name = element.text("NSPropertyName") ?? indexed?.text("NSPropertyName") ?? ""
    if let property = entity.property(at: name) { return property }
    guard let indexed, indexed.className == "NSExpressionDescription",
      let object = indexed.keys.compactMap(indexed.object).first(where: { $0.className.hasSuffix("Expression") }),
      let node = try? ArchivedPredicate(archive: archive).expression(object)
    else {
      warn("an index of \(entity.name ?? "") names the property \(name), which does not exist")
      return nil
    }
    let description = NSExpressionDescription()
    description.name = name
    description.expression = .expression(with: node)
    let type = indexed.integer("NSExpressionResultType").flatMap { UInt(exactly: $0) }
    description.expressionResultType = type.flatMap(NSAttributeType.init) ?? .undefinedAttributeType
    return description
  }
}

extension FetchTemplate {
  var flags: Int {
    [
      returnsDistinctResults, includesSubentities, includesPropertyValues, returnsObjectsAsFaults,
      includesPendingChanges,
    ].enumerated().reduce(0) { $1.element ? $0 | 1 << $1.offset : $0 }
  }

  /// Sets Apple's flags, lowest bit first.
  fileprivate mutating func setFlags(_ flags: Int) {
    returnsDistinctResults = flags & 1 != 0
    includesSubentities = flags & 2 != 0
    includesPropertyValues = flags & 4 != 0
    returnsObjectsAsFaults = flags & 8 != 0
    includesPendingChanges = flags & 16 != 0
  }
}

extension NSManagedObjectModel {
  /// Reads a model in Apple's compiled format, the contents of a `.mom` file.
  /// - Returns: the model, and warnings about what could not be used.
  package static func model(
    mom bytes: [UInt8], file: String
  ) throws(FileFormatError) -> (model: NSManagedObjectModel, warnings: [ModelWarning]) {
    let model = NSManagedObjectModel()
    return (model, try ArchivedModel(bytes, file: file, into: model).warnings)
  }

  /// Reads the model in a store's `Z_MODELCACHE`, with which the store can be read and migrated if no other model fits.
  /// - Parameter file: the name of the store in errors and warnings.
  package static func model(
    cache bytes: [UInt8], file: String
  ) throws(FileFormatError) -> (model: NSManagedObjectModel, warnings: [ModelWarning]) {
    guard let mom = Inflate.unpack(bytes) else {
      throw FileFormatError(file: file, "the model in Z_MODELCACHE is not packed as Apple's framework packs it")
    }
    return try model(mom: mom, file: file)
  }
}
