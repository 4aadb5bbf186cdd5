import Foundation
import StrataFileFormats
import StrataManagedModel
import StrataPredicates

/// MODEL -> APPLE'S COMPILED MODEL, with the classes, keys and flags that `ArchivedModel` reads and that archives of
/// Apple's tools have; what an entity inherits is left to its parent, as those tools do.
struct AppleModelWriter {
  var archive = KeyedArchiveWriter()
  private var entities: [ObjectIdentifier: KeyedArchive.Place] = [:]
  private var properties: [ObjectIdentifier: KeyedArchive.Place] = [:]
  private var modelPlace: KeyedArchive.Place = 0
  private var noNotes: KeyedArchive.Place?
  /// Whether what the rows of a store do not depend on is left out if its archive is not known.
  let isLenient: Bool
  var place = "the model"

  private init(isLenient: Bool) { self.isLenient = isLenient }

  static func bytes(of model: NSManagedObjectModel, isLenient: Bool = false) throws(ModelArchiveError) -> [UInt8] {
    var writer = AppleModelWriter(isLenient: isLenient)
    try writer.write(model)
    return writer.archive.bytes(root: writer.modelPlace)
  }

  /// Writes something that a store can be without; nil if it is left out.
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
    modelPlace = archive.reserve()
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
    archive.put(["NSManagedObjectModel"], entries, at: modelPlace)
  }

  private mutating func texts(_ texts: [String]) -> KeyedArchive.Place {
    let members = texts.map { archive.text($0) }
    return archive.list(["NSSet"], members)
  }

  /// The place of an entity of the model; nil for any other.
  func entity(_ entity: NSEntityDescription?) -> KeyedArchive.Place? {
    entity.flatMap { entities[ObjectIdentifier($0)] }
  }

  func property(_ property: NSPropertyDescription?) -> KeyedArchive.Place? {
    property.flatMap { properties[ObjectIdentifier($0)] }
  }

  private mutating func named(_ entities: [NSEntityDescription]) -> KeyedArchive.Place {
    archive.dictionary(["NSMutableDictionary", "NSDictionary"], entities.map { ($0.name ?? "", entity($0) ?? 0) })
  }

  private mutating func configurations(of model: NSManagedObjectModel) -> KeyedArchive.Place {
    let sets = model.configurations.map { name in
      let members = (model.entities(forConfigurationName: name) ?? []).compactMap(entity)
      return (key: name, value: archive.list(["NSSet"], members))
    }
    return archive.dictionary(["NSMutableDictionary", "NSDictionary"], sets)
  }

  private mutating func templates(of model: NSManagedObjectModel) throws(ModelArchiveError) -> KeyedArchive.Place? {
    guard !model.fetchTemplates.isEmpty else { return nil }
    var requests: [(key: String, value: KeyedArchive.Place)] = []
    for (name, template) in model.fetchTemplates.sorted(by: { $0.key < $1.key }) {
      place = "the fetch request \(name)"
      let target = model.entitiesByName[template.entityName ?? ""]
      let request = try dispensable { writer throws(ModelArchiveError) in try writer.request(template, target) }
      if let request { requests.append((name, request)) }
    }
    return archive.dictionary(["NSMutableDictionary", "NSDictionary"], requests)
  }

  private mutating func write(_ entity: NSEntityDescription) throws(ModelArchiveError) {
    let name = entity.name ?? ""
    for property in entity.ownProperties {
      place = "\(name).\(property.name)"
      try write(property, of: entity)
    }
    place = name
    let own = entity.ownProperties.map { (key: $0.name, value: property($0) ?? 0) }
    var entries: [(key: String, value: KeyedArchiveWriter.Value)] = [
      ("NSEntityName", .object(archive.text(name))),
      ("NSClassNameForEntity", .object(archive.text(entity.managedObjectClassName ?? "NSManagedObject"))),
      ("NSManagedObjectModel", .object(modelPlace)),
      ("NSProperties", .object(archive.dictionary(["NSMutableDictionary", "NSDictionary"], own))),
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
    archive.put(["NSEntityDescription"], entries, at: self.entity(entity) ?? 0)
  }

  private mutating func nameLists(_ lists: [[String]]) -> KeyedArchive.Place {
    let places = lists.map { names in
      let members = names.map { archive.text($0) }
      return archive.list(["NSMutableArray", "NSArray"], members)
    }
    return archive.list(["NSMutableArray", "NSArray"], places)
  }

  private mutating func emptyNotes() -> KeyedArchive.Place {
    if let noNotes { return noNotes }
    let place = archive.dictionary(["NSDictionary"], [])
    noNotes = place
    return place
  }

  /// nil for none.
  mutating func notes(_ userInfo: [AnyHashable: Any]?) throws(ModelArchiveError) -> KeyedArchive.Place? {
    guard let userInfo, !userInfo.isEmpty else { return nil }
    var entries: [(key: String, value: KeyedArchive.Place)] = []
    for (key, value) in userInfo {
      guard let key = key.base as? String else {
        throw ModelArchiveError("\(place) has the key \(key) in its user info, which is no text")
      }
      entries.append((key, try constant(value)))
    }
    return archive.dictionary(["NSDictionary"], entries.sorted { $0.key < $1.key })
  }

  private mutating func indexes(of entity: NSEntityDescription) throws(ModelArchiveError) -> KeyedArchive.Place {
    var places: [KeyedArchive.Place] = []
    for index in entity.indexes {
      let indexPlace = archive.reserve()
      var elements: [KeyedArchive.Place] = []
      for element in index.elements { elements.append(try self.element(element, of: indexPlace)) }
      archive.put(
        ["NSFetchIndexDescription"],
        [
          ("NSIndexName", .object(archive.text(index.name))),
          ("NSIndexElements", .object(archive.list(["NSArray"], elements))),
          ("NSPartialIndexPredicate", .object(try predicate(index.partialIndexPredicate))),
          ("NSEntity", .object(self.entity(entity))),
        ], at: indexPlace)
      places.append(indexPlace)
    }
    return archive.list(["NSMutableArray", "NSArray"], places)
  }

  private mutating func element(
    _ element: NSFetchIndexElementDescription, of index: KeyedArchive.Place
  ) throws(ModelArchiveError) -> KeyedArchive.Place {
    guard let name = element.path, !(element.property is NSExpressionDescription) else {
      throw ModelArchiveError("\(place) has an index of an expression, whose archive is not known")
    }
    return archive.add(
      ["NSFetchIndexElementDescription"],
      [
        ("NSPropertyName", .object(archive.text(name))), ("NSAscending", .boolean(element.isAscending)),
        ("NSFetchIndexElementType", .integer(Int(element.collationType.rawValue))),
        ("NSFetchIndexDescription", .object(index)),
      ])
  }
}

extension NSManagedObjectModel {
  /// The model in Apple's compiled form, as a `.mom` file has it.
  /// - Throws: `ModelArchiveError` for what Apple's form is not known for: composite attributes, indexes of
  ///   expressions, and predicates and values of classes of the program's own.
  package func mom() throws(ModelArchiveError) -> [UInt8] { try AppleModelWriter.bytes(of: self) }

  /// The model as a store keeps it of itself in `Z_MODELCACHE`. Rules, defaults and requests whose archive is not known
  /// are left out: no row depends on them.
  /// - Throws: `ModelArchiveError` for indexes of expressions.
  package func cache() throws(ModelArchiveError) -> [UInt8] {
    Inflate.store(try AppleModelWriter.bytes(of: self, isLenient: true))
  }
}
