import CoreData
import Foundation
import StrataManagedModel
import StrataPredicates

/// A whole model, for printing.
struct ModelReport: Encodable {
  let formatVersion = 1
  var name: String
  /// The printed version; nil for the copy in a store.
  var version: String?
  var versions: [String]
  /// The checksum by which staged migrations identify the version.
  var checksum: String
  var versionIdentifiers: [String]
  var entities: [EntityReport]
  /// The names of the entities in each configuration.
  var configurations: [String: [String]]
  var fetchRequests: [String: RequestReport]

  init(_ location: ModelLocation) {
    let model = location.model
    name = location.name
    version = location.version.isEmpty ? nil : location.version
    versions = location.versions
    checksum = model.versionChecksum
    versionIdentifiers = model.versionIdentifiers.map { "\($0.base)" }.filter { !$0.isEmpty }.sorted()
    entities = model.entities.map(EntityReport.init).sorted { $0.name < $1.name }
    configurations = Dictionary(
      uniqueKeysWithValues: model.configurations.map { name in
        (name, (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted())
      })
    fetchRequests = model.fetchTemplates.mapValues(RequestReport.init)
  }
}

/// An entity without what it inherits.
struct EntityReport: Encodable {
  var name: String
  var className: String
  var parent: String?
  var isAbstract: Bool
  /// The previous name; nil if it was never renamed.
  var renamingIdentifier: String?
  var versionHash: String
  var versionHashModifier: String?
  var attributes: [AttributeReport]
  var relationships: [RelationshipReport]
  var fetchedProperties: [FetchedReport]
  var indexes: [IndexReport]
  /// Each element: the names of properties whose combination must be unique.
  var uniquenessConstraints: [[String]]
  var userInfo: [String: String]

  init(_ entity: NSEntityDescription) {
    let name = entity.name ?? ""
    self.name = name
    className = entity.managedObjectClassName ?? "NSManagedObject"
    parent = entity.superentity?.name
    isAbstract = entity.isAbstract
    renamingIdentifier = entity.renamingIdentifier == name ? nil : entity.renamingIdentifier
    versionHash = entity.versionHash.base64EncodedString()
    versionHashModifier = entity.versionHashModifier
    let properties = entity.ownProperties.sorted { $0.name < $1.name }
    attributes = properties.compactMap { ($0 as? NSAttributeDescription).map(AttributeReport.init) }
    relationships = properties.compactMap { ($0 as? NSRelationshipDescription).map(RelationshipReport.init) }
    fetchedProperties = properties.compactMap { ($0 as? NSFetchedPropertyDescription).map(FetchedReport.init) }
    indexes = entity.indexes.map(IndexReport.init)
    uniquenessConstraints = entity.uniqueNames
    userInfo = JSONValue.texts(entity.userInfo)
  }
}

/// An index of an entity.
struct IndexReport: Encodable {
  struct Element: Encodable {
    var property: String
    var isAscending: Bool
    /// "binary" or "rTree".
    var collation: String
  }

  var name: String
  var elements: [Element]
  /// Which rows the index contains; nil for all.
  var predicate: String?

  init(_ index: NSFetchIndexDescription) {
    name = index.name
    predicate = index.partialIndexPredicate.map(JSONValue.text(of:))
    elements = index.elements.map { element in
      let expression = (element.property as? NSExpressionDescription)?.expression
      return Element(
        property: expression.map { "\($0)" } ?? element.path ?? "", isAscending: element.isAscending,
        collation: element.collationType == .rTree ? "rTree" : "binary")
    }
  }
}
