import Foundation
import StrataFormats
import StrataPredicates
import StrataSupport

/// Writes Apple's compiled model format, with the classes, keys and flags that `ArchivedModel` reads and that archives
/// of Apple's tools have; inherited properties are left to the parent, as by those tools.
struct AppleModelWriter {
  var archive = KeyedArchiveWriter()
  private var entities: [ObjectIdentifier: KeyedArchive.UID] = [:]
  private var properties: [ObjectIdentifier: KeyedArchive.UID] = [:]
  private var modelUID: KeyedArchive.UID = 0
  private var noNotes: KeyedArchive.UID?
  /// Whether to skip what does not affect a store's rows if its archived form is unknown.
  let isLenient: Bool
  var subject = "the model"

  private init(isLenient: Bool) { self.isLenient = isLenient }

  static func bytes(of model: NSManagedObjectModel, isLenient: Bool = false) throws(ModelArchiveError) -> [UInt8] {
    var writer = AppleModelWriter(isLenient: isLenient)
    try writer.write(model)
    return writer.archive.bytes(root: writer.modelUID)
  }

  /// Writes something that a store does not need; returns nil if it was skipped.
  mutating func dispensable<Written>(
    _ write: (inout AppleModelWriter) throws(ModelArchiveError) -> Written?
  ) throws(ModelArchiveError) -> Written? {
    do throws(ModelArchiveError) {
      return try write(&self)
    } catch {
      guard isLenient else { throw error }
      return nil
    }
  }

  private mutating func write(_ model: NSManagedObjectModel) throws(ModelArchiveError) {
    modelUID = archive.reserve()
    for entity in model.entities {
      entities[ObjectIdentifier(entity)] = archive.reserve()
      for property in entity.ownProperties { properties[ObjectIdentifier(property)] = archive.reserve() }
    }
    for entity in model.entities { try write(entity) }
    var entries: [(key: String, value: KeyedArchiveWriter.Value)] = [
      ("NSEntities", .object(named(model.entities))),
      ("NSVersionIdentifiers", .object(texts(model.versionIdentifiers.compactMap { $0.base as? String }.sorted()))),
      ("NSFetchRequestTemplates", .object(try templates(of: model))),
    ]
    if !model.configurations.isEmpty { entries.append(("NSConfigurations", .object(configurations(of: model)))) }
    archive.put(["NSManagedObjectModel"], entries: entries, at: modelUID)
  }

  private mutating func texts(_ texts: [String]) -> KeyedArchive.UID {
    let members = texts.map { archive.text($0) }
    return archive.list(["NSSet"], members: members)
  }

  /// Returns the reference of an entity of the model; nil for any other.
  func entity(_ entity: NSEntityDescription?) -> KeyedArchive.UID? {
    entity.flatMap { entities[ObjectIdentifier($0)] }
  }

  func property(_ property: NSPropertyDescription?) -> KeyedArchive.UID? {
    property.flatMap { properties[ObjectIdentifier($0)] }
  }

  private mutating func named(_ entities: [NSEntityDescription]) -> KeyedArchive.UID {
    archive.dictionary(
      ["NSMutableDictionary", "NSDictionary"], entries: entities.map { ($0.name ?? "", entity($0) ?? 0) })
  }

  private mutating func configurations(of model: NSManagedObjectModel) -> KeyedArchive.UID {
    let sets = model.configurations.map { name in
      let members = (model.entities(forConfigurationName: name) ?? []).compactMap(entity)
      return (key: name, value: archive.list(["NSSet"], members: members))
    }
    return archive.dictionary(["NSMutableDictionary", "NSDictionary"], entries: sets)
  }

  private mutating func templates(of model: NSManagedObjectModel) throws(ModelArchiveError) -> KeyedArchive.UID? {
    guard !model.fetchTemplates.isEmpty else { return nil }
    var requests: [(key: String, value: KeyedArchive.UID)] = []
    for (name, template) in model.fetchTemplates.sorted(by: { $0.key < $1.key }) {
      subject = "the fetch request \(name)"
      let target = model.entitiesByName[template.entityName ?? ""]
      let request = try dispensable { writer throws(ModelArchiveError) in try writer.request(template, target: target) }
      if let request { requests.append((name, request)) }
    }
    return archive.dictionary(["NSMutableDictionary", "NSDictionary"], entries: requests)
  }

  private mutating func write(_ entity: NSEntityDescription) throws(ModelArchiveError) {
    let name = entity.name ?? ""
    for property in entity.ownProperties {
      subject = "\(name).\(property.name)"
      try write(property, of: entity)
    }
    subject = name
    let own = entity.ownProperties.map { (key: $0.name, value: property($0) ?? 0) }
    var entries: [(key: String, value: KeyedArchiveWriter.Value)] = [
      ("NSEntityName", .object(archive.text(name))),
      ("NSClassNameForEntity", .object(archive.text(entity.managedObjectClassName ?? "NSManagedObject"))),
      ("NSManagedObjectModel", .object(modelUID)),
      ("NSProperties", .object(archive.dictionary(["NSMutableDictionary", "NSDictionary"], entries: own))),
      ("NSSuperentity", .object(self.entity(entity.superentity))),
      ("NSSubentities", .object(named(entity.subentities))),
      ("NSRenamingIdentifier", .object(archive.text(entity.renamingIdentifier ?? name))),
      ("NSVersionHashModifier", .object(entity.versionHashModifier.map { archive.text($0) })),
      ("NSUserInfo", .object(try notes(entity.userInfo) ?? emptyNotes())),
    ]
    if entity.isAbstract { entries.append(("NSIsAbstract", .boolean(true))) }
    if !entity.uniqueNames.isEmpty { entries.append(("NSUniqueTuples", .object(nameLists(entity.uniqueNames)))) }
    if !entity.indexes.isEmpty {
      let compound = entity.indexes.map { $0.elements.compactMap(\.path) }.filter { $0.count > 1 }
      entries.append(("NSCompoundIndexes", .object(nameLists(compound))))
      entries.append(("NSFetchIndexDescriptions", .object(try indexes(of: entity))))
    }
    archive.put(["NSEntityDescription"], entries: entries, at: self.entity(entity) ?? 0)
  }

  private mutating func nameLists(_ lists: [[String]]) -> KeyedArchive.UID {
    let uids = lists.map { names in
      let members = names.map { archive.text($0) }
      return archive.list(["NSMutableArray", "NSArray"], members: members)
    }
    return archive.list(["NSMutableArray", "NSArray"], members: uids)
  }

  private mutating func emptyNotes() -> KeyedArchive.UID {
    if let noNotes { return noNotes }
    let uid = archive.dictionary(["NSDictionary"], entries: [])
    noNotes = uid
    return uid
  }

  /// Returns nil for none.
  mutating func notes(_ userInfo: [AnyHashable: Any]?) throws(ModelArchiveError) -> KeyedArchive.UID? {
    guard let userInfo, !userInfo.isEmpty else { return nil }
    var entries: [(key: String, value: KeyedArchive.UID)] = []
    for (key, value) in userInfo {
      guard let key = key.base as? String else {
        throw ModelArchiveError("\(subject) has the key \(key) in its user info, which is not a string")
      }
      entries.append((key, try constant(value)))
    }
    return archive.dictionary(["NSDictionary"], entries: entries.sorted { $0.key < $1.key })
  }

  private mutating func indexes(of entity: NSEntityDescription) throws(ModelArchiveError) -> KeyedArchive.UID {
    var uids: [KeyedArchive.UID] = []
    for index in entity.indexes {
      let indexUID = archive.reserve()
      var elements: [KeyedArchive.UID] = []
      for element in index.elements { elements.append(try self.element(element, of: indexUID)) }
      archive.put(
        ["NSFetchIndexDescription"],
        entries: [
          ("NSIndexName", .object(archive.text(index.name))),
          ("NSIndexElements", .object(archive.list(["NSArray"], members: elements))),
          ("NSPartialIndexPredicate", .object(try predicate(index.partialIndexPredicate))),
          ("NSEntity", .object(self.entity(entity))),
        ], at: indexUID)
      uids.append(indexUID)
    }
    return archive.list(["NSMutableArray", "NSArray"], members: uids)
  }

  private mutating func element(
    _ element: NSFetchIndexElementDescription, of index: KeyedArchive.UID
  ) throws(ModelArchiveError) -> KeyedArchive.UID {
    guard let name = element.path, !(element.property is NSExpressionDescription) else {
      throw ModelArchiveError("\(subject) has an index of an expression, whose archive is not known")
    }
    return archive.add(
      ["NSFetchIndexElementDescription"],
      entries: [
        ("NSPropertyName", .object(archive.text(name))), ("NSAscending", .boolean(element.isAscending)),
        ("NSFetchIndexElementType", .integer(Int(element.collationType.rawValue))),
        ("NSFetchIndexDescription", .object(index)),
      ])
  }
}

extension NSManagedObjectModel {
  /// Returns the model in Apple's compiled format, as in a `.mom` file.
  /// - Throws: `ModelArchiveError` for anything whose Apple format is unknown: composite attributes, indexes of
  ///   expressions, and predicates and values of classes of the program.
  package func mom() throws(ModelArchiveError) -> [UInt8] { try AppleModelWriter.bytes(of: self) }

  /// Returns the model as cached in a store's `Z_MODELCACHE`. Skips rules, defaults and requests whose archived form is
  /// unknown: they do not affect rows.
  /// - Throws: `ModelArchiveError` for indexes of expressions.
  package func cache() throws(ModelArchiveError) -> [UInt8] {
    Inflate.store(try AppleModelWriter.bytes(of: self, isLenient: true))
  }
}
