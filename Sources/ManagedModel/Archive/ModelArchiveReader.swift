import Foundation
import StrataFormats
import StrataPredicates

/// Decodes an archive.
struct ModelArchiveReader {
  let bytes: ArraySlice<UInt8>
  var position: Int
  var texts: [String] = []
  var entities: [NSEntityDescription] = []
  /// The names of inverse relationships in their destinations.
  var inverses: [(relationship: NSRelationshipDescription, name: String)] = []
  /// The parts that were left out, each with the reason.
  var warnings: [String] = []

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  mutating func read(into model: NSManagedObjectModel) throws(ModelArchiveError) {
    texts = try list { reader throws(ModelArchiveError) in
      try reader.consume(try reader.number()) { String(decoding: $0, as: UTF8.self) }
    }
    model.versionIdentifiers = Set(
      try list { reader throws(ModelArchiveError) in AnyHashable(try reader.text() ?? "") })
    model.localizationDictionary = try optional { reader throws(ModelArchiveError) in
      try reader.dictionary() as? [String: String] ?? [:]
    }
    let count = try self.count()
    entities = (0..<count).map { _ in NSEntityDescription() }
    for entity in entities { try readHead(of: entity) }
    connectInverses()
    for entity in entities { try readTail(of: entity) }
    model.entities = entities
    for _ in 0..<(try self.count()) {
      let name = try text() ?? ""
      let members = try list { reader throws(ModelArchiveError) in try reader.entity() }
      model.setEntities(members, forConfigurationName: name)
    }
    for _ in 0..<(try self.count()) {
      let name = try text() ?? ""
      model.fetchTemplates[name] = try template(of: "the fetch request \(name)")
    }
    guard position < bytes.endIndex else { return }
    for entity in entities {
      let hash = try consume(VersionHash.size) { Data($0) }
      // A build does not know every hash.
      if hash.contains(where: { $0 != 0 }) { entity.archivedHash = hash }
    }
    model.archivedHashesAreValid = true
  }

  private mutating func readHead(of entity: NSEntityDescription) throws(ModelArchiveError) {
    entity.name = try text()
    entity.managedObjectClassName = try text()
    entity.isAbstract = try flags() & 1 != 0
    entity.renamingIdentifier = try text()
    entity.versionHashModifier = try text()
    entity.userInfo = try userInfo()
    entity.subentities = try list { reader throws(ModelArchiveError) in try reader.entity() }
    entity.properties = try list { reader throws(ModelArchiveError) in try reader.property() }
  }

  private func connectInverses() {
    for (relationship, name) in inverses {
      relationship.inverseRelationship =
        relationship.destinationEntity?.properties.last { $0.name == name } as? NSRelationshipDescription
    }
  }

  private mutating func readTail(of entity: NSEntityDescription) throws(ModelArchiveError) {
    entity.uniquenessConstraints = try list { reader throws(ModelArchiveError) in
      try reader.list { reader throws(ModelArchiveError) in try reader.text() ?? "" }
    }
    let indexCount = try count()
    guard indexCount > 0 else { return }
    var indexes: [NSFetchIndexDescription] = []
    for _ in 0..<indexCount {
      let name = try text() ?? ""
      let predicate = try predicate(of: "the predicate of the index \(name)")
      let elements = try list { reader throws(ModelArchiveError) in try reader.element(of: entity, index: name) }
        .compactMap(\.self)
      if NSFetchIndexDescription.isMixture(elements) { throw damage("an index of two collation types") }
      let index = NSFetchIndexDescription(name: name, elements: elements)
      index.partialIndexPredicate = predicate
      indexes.append(index)
    }
    entity.indexes = indexes
  }

  /// Returns nil, with a warning, for an invalid expression.
  private mutating func element(
    of entity: NSEntityDescription, index: String
  ) throws(ModelArchiveError) -> NSFetchIndexElementDescription? {
    let name = try text() ?? ""
    let flags = try flags()
    let property: NSPropertyDescription
    if flags & 4 != 0 {
      guard let expression = try indexedExpression(named: name, index: index) else { return nil }
      property = expression
    } else if let named = entity.property(at: name) {
      property = named
    } else {
      throw damage("an index of \(name), which is not a property")
    }
    let element = NSFetchIndexElementDescription(property: property, collationType: flags & 2 != 0 ? .rTree : .binary)
    element.isAscending = flags & 1 != 0
    return element
  }
}
