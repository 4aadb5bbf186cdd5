import Foundation
import StrataManagedModel
import StrataMemoryStore
import StrataObjectGraph
import StrataRowStore

/// A program's atomic store as a back end: rows in a `MemoryStore`, and a node for each.
///
/// The store writes a commit before it counts: prepare the rows, update the nodes and `save()`, then apply the rows.
final class AtomicBackEnd: ProgramBackEnd, BackEnd, @unchecked Sendable {
  // Sendable: used under the lock of `ProgramBackEnd`.

  var nodes: [RowID: NSAtomicStoreCacheNode] = [:]
  private var memory: MemoryStore?
  /// Whether a commit is in progress. Until it finishes, the nodes and the rows may not match.
  private var isCommitting = false

  private var program: NSAtomicStore { store as! NSAtomicStore }  // The store makes its back end.

  private func rows() throws -> MemoryStore {
    guard let memory else { throw StoreError(.notOpen, "The store \(store.type) was asked before it was loaded.") }
    return memory
  }

  override func close() {
    super.close()
    memory?.close()
    nodes = [:]
  }

  // MARK: Loading

  override func open() throws {
    try store.loadMetadata()
    try establishMetadata { UUID().uuidString }
    _ = TransformedValue.isReadable
    let memory = try MemoryStore(
      model: model, configuration: configuration, number: number, identifier: identifier, keepsHistory: false)
    try program.load()
    _ = try memory.commit(NodeReading(nodes).batch(for: self))
    self.memory = memory
  }

  // MARK: Reading

  func rows(for query: FetchQuery) throws -> RowList { try whileOpen { try rows().rows(for: query) } }
  func ids(for query: FetchQuery) throws -> [RowID] { try whileOpen { try rows().ids(for: query) } }
  func count(for query: FetchQuery) throws -> Int { try whileOpen { try rows().count(for: query) } }
  func values(for query: AggregateQuery) throws -> ValueTable { try whileOpen { try rows().values(for: query) } }
  func rows(with ids: [RowID]) throws -> RowList { try whileOpen { try rows().rows(with: ids) } }
  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try whileOpen { try rows().related(to: owner, relationship: relationship) }
  }
  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try whileOpen { try rows().related(to: owners, relationship: relationship) }
  }

  // MARK: Writing

  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? { try reserveIDs(for: Self.rows(of: entities)) }

  func reserveIDs(for rows: [Row]) throws -> [RowID]? {
    try whileOpen {
      try checkHolds(rows)
      return try withContext { context in
        var batch = ChangeBatch()
        batch.inserted = rows
        return newIDs(for: try context.objects(of: batch).inserted)
      }
    }
  }

  private func newIDs(for objects: [NSManagedObject]) -> [RowID] {
    objects.map { object in
      let id = object.objectID.rowID
      return id.isTemporary
        ? references.id(of: program.newReferenceObject(for: object), layout(of: object.entity)) : id
    }
  }

  func commit(_ batch: ChangeBatch) throws -> CommitReceipt {
    try whileOpen {
      guard !batch.isEmpty else { return CommitReceipt() }
      guard !isCommitting else {
        throw StoreError(
          .unsupported,
          "Cannot save to the store \(store.type) during another save to it: one of its methods save(), newCacheNode(for:), "
            + "updateCacheNode(_:from:) or newReferenceObject(for:) saved a context. Save that context afterwards.")
      }
      isCommitting = true
      defer { isCommitting = false }
      try checkHolds(batch.inserted)
      let memory = try rows()
      // Stale changes are refused before the store receives them.
      try memory.check(batch)
      let stored = try memory.rows(with: batch.updated.map(\.row.id) + batch.deleted.map(\.id))
      return try withContext { context in
        let objects = try context.objects(of: batch, stored: stored)
        let ids = newIDs(for: objects.inserted)
        for id in ids where nodes[id] != nil {
          throw StoreError(
            .conflict, "The store \(store.type) gave a new object the reference object of another one: \(objectID(id))."
          )
        }
        context.assignIDs(objects.inserted, as: ids)
        let prepared = try memory.prepare(batch, as: ids)
        try write(objects)
        return try memory.commit(prepared)
      }
    }
  }

  func setMetadata(_ metadata: [String: any Sendable]) throws {
    try whileOpen {
      addMetadata(metadata)
      try program.save()
    }
  }

  var metadata: [String: any Sendable] { get throws { try whileOpen { values } } }

  // MARK: Nodes

  /// Updates the nodes and has the store write them; if it fails, the nodes are restored.
  private func write(_ objects: BatchObjects) throws {
    let before = nodes
    let caches = objects.updated.compactMap { nodes[$0.objectID.rowID] }.map {
      ($0, $0.propertyCache?.mutableCopy() as? NSMutableDictionary)
    }
    for object in objects.inserted { nodes[object.objectID.rowID] = program.newCacheNode(for: object) }
    // Two new nodes could not refer to each other before.
    for object in objects.inserted {
      if let node = nodes[object.objectID.rowID] { fillLinks(node, from: object) }
    }
    for object in objects.updated {
      if let node = nodes[object.objectID.rowID] { program.updateCacheNode(node, from: object) }
    }
    let gone = Set(objects.deleted.compactMap { nodes[$0.objectID.rowID] })
    if !gone.isEmpty { program.willRemoveCacheNodes(gone) }
    for node in gone { nodes[node.objectID.rowID] = nil }
    do { try program.save() } catch {
      nodes = before
      for (node, cache) in caches { node.propertyCache = cache }
      throw error
    }
  }

  /// Copies all stored properties of an object.
  func fill(_ node: NSAtomicStoreCacheNode, from object: NSManagedObject) {
    for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
      node.setValue(object.primitiveValue(forKey: name), forKey: name)
    }
    setLinks(of: node, from: object) { _ in true }
  }

  /// Fills relationships for which the node has nothing yet, or less than the object.
  private func fillLinks(_ node: NSAtomicStoreCacheNode, from object: NSManagedObject) {
    setLinks(of: node, from: object) { name in
      switch node.value(forKey: name) {
      case let set as NSSet: set.count < (object.primitiveValue(forKey: name) as? NSSet)?.count ?? 0
      case let set as NSOrderedSet: set.count < (object.primitiveValue(forKey: name) as? NSOrderedSet)?.count ?? 0
      case let value: value == nil
      }
    }
  }

  private func setLinks(
    of node: NSAtomicStoreCacheNode, from object: NSManagedObject, where isMeant: (String) -> Bool
  ) {
    for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient && isMeant(name) {
      switch object.primitiveValue(forKey: name) {
      case let member as NSManagedObject: node.setValue(nodes[member.objectID.rowID], forKey: name)
      case let members as NSOrderedSet:
        node.setValue(NSOrderedSet(array: members.array.compactMap(self.node)), forKey: name)
      case let members as NSSet: node.setValue(NSSet(array: members.allObjects.compactMap(self.node)), forKey: name)
      default: node.setValue(nil, forKey: name)
      }
    }
  }

  private func node(of member: Any) -> NSAtomicStoreCacheNode? { rowID(of: member).flatMap { nodes[$0] } }
}

extension ProgramBackEnd {
  /// The layout of an entity, even one from another copy of the model.
  func layout(of entity: NSEntityDescription) -> EntityLayout {
    guard let known = model.entitiesByName[entity.name ?? ""]?.layout else {
      fatalError("The entity '\(entity.name ?? "")' is not in the model of the store \(store.type).")
    }
    return known
  }

  func reference(of objectID: NSManagedObjectID) -> Any {
    guard let reference = references.reference(of: objectID.rowID) else {
      fatalError("The store \(store.type) has no reference object for \(objectID): it did not make this id.")
    }
    return reference
  }
}
