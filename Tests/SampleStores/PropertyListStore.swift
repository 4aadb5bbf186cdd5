import CoreData

/// A whole store in one property list: an atomic store as a program might implement it.
///
///     { metadata: {…}, last: 7, rows: [{ entity: "Book", number: 7, values: {…}, links: { author: [["Person", 3]] } }] }
public final class PropertyListStore: NSAtomicStore, @unchecked Sendable {
  public static let type = "PropertyList"

  /// Registers the store type with coordinators.
  public static func register() {
    NSPersistentStoreCoordinator.registerStoreClass(PropertyListStore.self, forStoreType: type)
  }

  /// The newest row's number.
  private var last = 0

  public override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try contents(of: url)?["metadata"] as? [String: Any] ?? [:]
  }

  public override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    var contents = try contents(of: url) ?? [:]
    contents["metadata"] = metadata
    try write(contents, to: url)
  }

  private static func contents(of url: URL) throws -> [String: Any]? {
    guard let data = FileManager.default.contents(atPath: url.path), !data.isEmpty else { return nil }
    return try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
  }

  private static func write(_ contents: [String: Any], to url: URL) throws {
    try PropertyListSerialization.data(fromPropertyList: contents, format: .binary, options: 0)
      .write(to: url, options: .atomic)
  }

  public override func loadMetadata() throws {
    guard let url else { return }
    metadata = try Self.metadataForPersistentStore(with: url)
  }

  // MARK: Reading

  public override func load() throws {
    guard let url, let contents = try Self.contents(of: url) else { return }
    last = contents["last"] as? Int ?? 0
    let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
    var nodes: [NSAtomicStoreCacheNode] = []
    var named: [String: NSAtomicStoreCacheNode] = [:]
    let rows = contents["rows"] as? [[String: Any]] ?? []
    for row in rows {
      guard let name = row["entity"] as? String, let entity = entities[name], let number = row["number"] as? Int else {
        throw CocoaError(.fileReadCorruptFile)
      }
      let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: number))
      for (key, value) in row["values"] as? [String: Any] ?? [:] {
        node.setValue(entity.attributesByName[key]?.value(fromPropertyList: value), forKey: key)
      }
      nodes.append(node)
      named["\(name) \(number)"] = node
    }
    for (row, node) in zip(rows, nodes) {
      for (key, links) in row["links"] as? [String: [[Any]]] ?? [:] {
        let members = links.compactMap { named["\($0[0]) \($0[1])"] }
        let isToMany = node.objectID.entity.relationshipsByName[key]?.isToMany == true
        node.setValue(isToMany ? NSOrderedSet(array: members) : members.first, forKey: key)
      }
    }
    addCacheNodes(Set(nodes))
  }

  // MARK: Writing

  public override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    last += 1
    return last
  }

  public override func save() throws {
    guard let url else { return }
    var contents: [String: Any] = ["last": last]
    contents["metadata"] = metadata
    contents["rows"] = cacheNodes().map(row)
    try Self.write(contents, to: url)
  }

  private func row(_ node: NSAtomicStoreCacheNode) -> [String: Any] {
    let entity = node.objectID.entity
    var values: [String: Any] = [:]
    for (key, attribute) in entity.attributesByName where !attribute.isTransient {
      values[key] = node.value(forKey: key).flatMap(attribute.propertyList)
    }
    var links: [String: [[Any]]] = [:]
    for key in entity.relationshipsByName.keys {
      let value = node.value(forKey: key)
      let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? value.map { [$0] } ?? []
      links[key] = members.compactMap { ($0 as? NSAtomicStoreCacheNode).map(reference) }
    }
    return [
      "entity": entity.name ?? "", "number": referenceObject(for: node.objectID), "values": values, "links": links,
    ]
  }

  private func reference(_ node: NSAtomicStoreCacheNode) -> [Any] {
    [node.objectID.entity.name ?? "", referenceObject(for: node.objectID)]
  }
}

extension NSAttributeDescription {
  /// A value as stored in a property list.
  fileprivate func propertyList(_ value: Any) -> Any? {
    switch attributeType {
    case .decimalAttributeType: "\(value)"
    case .UUIDAttributeType: (value as? UUID)?.uuidString
    case .URIAttributeType: (value as? URL)?.absoluteString
    case .transformableAttributeType:
      try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
    default: value
    }
  }

  fileprivate func value(fromPropertyList value: Any) -> Any? {
    switch attributeType {
    case .decimalAttributeType: NSDecimalNumber(string: value as? String)
    case .UUIDAttributeType: (value as? String).flatMap { UUID(uuidString: $0) }
    case .URIAttributeType: (value as? String).flatMap { URL(string: $0) }
    case .transformableAttributeType: (value as? Data).flatMap { NSKeyedUnarchiver.unarchiveObject(with: $0) }
    default: value
    }
  }
}
