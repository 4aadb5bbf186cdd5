import StrataManagedModel
import StrataRowStore

/// Splits a batch over several stores: each gets its own rows, which must not refer to another store.
struct StoreParts {
  private(set) var parts: [StorePart] = []
  private let batch: ChangeBatch
  private let stores: [NSPersistentStore]
  /// Store numbers of new rows, by row ID.
  private var storeNumbers: [RowID: Int] = [:]

  init(of batch: ChangeBatch, among stores: [NSPersistentStore]) {
    self.batch = batch
    self.stores = stores
  }

  mutating func add(_ row: Row, at index: Int, to store: NSPersistentStore) throws {
    storeNumbers[row.id] = store.storeIdentity.number
    let part = try part(of: store)
    parts[part].batch.inserted.append(row)
    parts[part].inserted.append(index)
  }

  mutating func add(_ update: RowUpdate, at index: Int) throws {
    let row = update.row
    for slot in row.layout.toOneSlots where update.writes(slot) {
      try checkLink(
        from: row.id, to: row.page.reference(row: row.index, slot: slot), named: row.layout.slots[slot].name)
    }
    let part = try part(of: row.id)
    parts[part].batch.updated.append(update)
    parts[part].updated.append(index)
  }

  mutating func add(_ link: LinkChange) throws {
    for id in link.added { try checkLink(from: link.owner, to: id, named: "a to-many relationship") }
    try change(link.owner) { $0.links.append(link) }
  }

  /// Adds a check to the part of its store, if there is one.
  mutating func add(_ check: RowCheck) {
    guard let part = parts.firstIndex(where: { $0.store.storeIdentity.number == check.id.store }) else { return }
    parts[part].batch.checked.append(check)
  }

  mutating func change(_ id: RowID, change: (inout ChangeBatch) -> Void) throws {
    change(&parts[try part(of: id)].batch)
  }

  private mutating func part(of id: RowID) throws -> Int {
    guard let store = stores.first(where: { $0.storeIdentity.number == number(of: id) }) else {
      throw StoreError(.notOpen, "The store of the row is not in this coordinator any more.", rows: [id])
    }
    return try part(of: store)
  }

  private mutating func part(of store: NSPersistentStore) throws -> Int {
    if let known = parts.firstIndex(where: { $0.store === store }) { return known }
    guard !store.isReadOnly else { throw store.readOnlyError }
    var empty = ChangeBatch()
    (empty.author, empty.contextName, empty.origin) = (batch.author, batch.contextName, batch.origin)
    empty.derivationInputs = batch.derivationInputs
    parts.append(StorePart(store: store, batch: empty))
    return parts.count - 1
  }

  private func number(of id: RowID) -> Int { storeNumbers[id] ?? id.store }

  private func checkLink(from owner: RowID, to target: RowID, named name: String) throws {
    guard target != .none, number(of: target) != number(of: owner) else { return }
    throw StoreError(
      crossing: "the relationship '\(name)' of an object leads to an object of another store.", rows: [owner])
  }
}

extension StoreError {
  /// A relationship between objects of several stores, new or saved. Apple's framework begins with the same words.
  init(crossing what: String, rows: [RowID]) {
    self.init(
      .unassignable,
      "Can't resolve how to assign objects to stores; some relationship values cross stores: \(what)", rows: rows)
  }
}

extension NSPersistentStore {
  var readOnlyError: StoreError {
    StoreError(.readOnly, "The store at '\(url?.shown ?? "memory")' is read-only and cannot be saved to.")
  }
}

/// Groups of new rows that are related to each other, and the stores of the saved rows they refer to.
struct RelatedRows {
  private let count: Int
  /// For each new row, another of its group, or itself (union-find).
  private var leaders: [Int]
  private var indexes: [RowID: Int] = [:]
  private var fixed: [Int: Set<Int>] = [:]

  init(of batch: ChangeBatch) {
    count = batch.inserted.count
    leaders = Array(0..<count)
    for (index, row) in batch.inserted.enumerated() { indexes[row.id] = index }
    for row in batch.inserted { joinReferences(of: row) { _ in true } }
    for update in batch.updated { joinReferences(of: update.row, where: update.writes) }
    for link in batch.links {
      for id in link.added { join(link.owner, id) }
    }
  }

  /// The positions of related rows in the batch, and the numbers of the stores they are bound to.
  mutating func groups() -> [(rows: [Int], stores: Set<Int>)] {
    var groups: [Int: (rows: [Int], stores: Set<Int>)] = [:]
    for index in 0..<count { groups[leader(index), default: ([], [])].rows.append(index) }
    for (index, stores) in fixed { groups[leader(index)]?.stores.formUnion(stores) }
    return groups.values.sorted { $0.rows[0] < $1.rows[0] }
  }

  private mutating func joinReferences(of row: Row, where isMeant: (Int) -> Bool) {
    // A transient relationship may lead anywhere, since no store has it.
    for slot in row.layout.toOneSlots where !row.layout.slots[slot].isTransient && isMeant(slot) {
      join(row.id, row.page.reference(row: row.index, slot: slot))
    }
  }

  private mutating func join(_ left: RowID, _ right: RowID) {
    guard right != .none else { return }
    switch (indexes[left], indexes[right]) {
    case (let left?, let right?): leaders[leader(left)] = leader(right)
    case (let new?, nil): if right.store > 0 { fixed[new, default: []].insert(right.store) }
    case (nil, let new?): if left.store > 0 { fixed[new, default: []].insert(left.store) }
    case (nil, nil): break
    }
  }

  private mutating func leader(_ index: Int) -> Int {
    var index = index
    while leaders[index] != index {
      leaders[index] = leaders[leaders[index]]
      index = leaders[index]
    }
    return index
  }
}
