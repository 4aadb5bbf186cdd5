import StrataManagedModel
import StrataRowStore

/// A batch validated against a store's contents: rows with permanent IDs, ready to apply.
struct PreparedBatch {
  private(set) var inserted: [Row] = []
  private(set) var updated: [(old: Row, new: Row)] = []
  /// The rows to delete that exist.
  private(set) var deleted: [Row] = []
  private var links: [LinkChange] = []

  private let store: Int
  private let relations: RelationshipMap
  /// The batch's permanent IDs by temporary ID.
  private var permanent: [RowID: RowID] = [:]
  private var pages = BatchPages()

  /// - Throws: `.conflict` or `.constraint` with all rows that do not fit; `.unsupported` for an ID that no row has.
  init(
    _ batch: ChangeBatch, as given: [RowID]? = nil, store: Int, contents: StoreContents
  ) throws(StoreError) {
    self.store = store
    relations = contents.relations
    let stored = try Self.storedRows(of: batch, contents)
    deleted = stored.deleted
    let ids = given ?? assignIDs(to: batch.inserted, contents)
    for (row, id) in zip(batch.inserted, ids) where row.id.isTemporary { permanent[row.id] = id }
    for (row, id) in zip(batch.inserted, ids) { inserted.append(try insertedRow(row, id: id)) }
    for (old, update) in zip(stored.updated, batch.updated) { updated.append((old, try updatedRow(old, with: update))) }
    for change in batch.links { links.append(try permanentLinks(change)) }
    pages.seal()
    try checkConstraints(batch, in: contents)
  }

  func apply(to contents: inout StoreContents) {
    contents.remove(deleted)
    for (old, new) in updated { contents.replace(old, with: new) }
    for row in inserted { contents.insert(row) }
    for change in links {
      let entity = contents.relations[change.owner.entity]
      contents.links.apply(change, kind: entity.toMany[change.relationship])
    }
  }
}

/// Version checks.
extension PreparedBatch {
  private static func storedRows(
    of batch: ChangeBatch, _ contents: StoreContents
  ) throws(StoreError) -> (updated: [Row], deleted: [Row]) {
    var conflicts: [RowConflict] = []
    func stored(_ id: RowID, version: Int64?) -> Row? {
      let row = contents.row(id)
      if let version, row?.version != version {
        conflicts.append(RowConflict(id: id, expectedVersion: version, stored: row))
      }
      return row
    }
    for row in batch.inserted where !row.id.isTemporary {
      if let stored = contents.row(row.id) {
        conflicts.append(RowConflict(id: row.id, expectedVersion: 0, stored: stored))
      }
    }
    let updated = batch.updated.compactMap { stored($0.row.id, version: $0.row.version) }
    let deleted = batch.deleted.compactMap { stored($0.id, version: $0.version) }
    for check in batch.checked { _ = stored(check.id, version: check.version) }
    if let refusal = StoreError.refusal(byStore: nil, versions: conflicts, constraints: []) { throw refusal }
    return (updated, deleted)
  }
}

/// Permanent IDs and rows.
extension PreparedBatch {
  /// Returns each new row's permanent ID: the reserved one, or the next of its key sequence.
  private func assignIDs(to rows: [Row], _ contents: StoreContents) -> [RowID] {
    var lastKeys: [Int: Int64] = [:]
    return rows.map { row in
      guard row.id.isTemporary else { return row.id }
      let counter = contents.counter(of: row.layout)
      let key = (lastKeys[counter] ?? contents.lastKey(of: row.layout)) + 1
      lastKeys[counter] = key
      return RowID(store: store, entity: row.id.entity, key: key)
    }
  }

  private func permanentID(_ id: RowID) throws(StoreError) -> RowID {
    guard id.isTemporary else { return id }
    guard let permanent = permanent[id] else {
      throw StoreError(
        .unsupported, "A batch refers to a new object that it does not insert (temporary id \(id.key)).")
    }
    return permanent
  }

  private mutating func insertedRow(_ row: Row, id: RowID) throws(StoreError) -> Row {
    let copy = pages.append(id: id, version: 1, row.layout)
    for slot in relations[id.entity].storedSlots {
      copy.page.copySlot(slot, to: copy.index, from: row.page, row: row.index)
    }
    return try withPermanentReferences(copy)
  }

  private mutating func updatedRow(_ old: Row, with update: RowUpdate) throws(StoreError) -> Row {
    let copy = pages.append(id: old.id, version: old.version &+ 1, old.layout)
    for slot in relations[old.id.entity].storedSlots {
      let source = update.writes(slot) ? update.row : old
      copy.page.copySlot(slot, to: copy.index, from: source.page, row: source.index)
    }
    return try withPermanentReferences(copy)
  }

  private func withPermanentReferences(_ row: Row) throws(StoreError) -> Row {
    for slot in relations[row.id.entity].toOneSlots {
      row.page.setReference(try permanentID(row.page.reference(row: row.index, slot: slot)), row: row.index, slot: slot)
    }
    return row
  }

  private func permanentLinks(_ change: LinkChange) throws(StoreError) -> LinkChange {
    var change = change
    change.owner = try permanentID(change.owner)
    for index in change.added.indices { change.added[index] = try permanentID(change.added[index]) }
    for index in change.removed.indices { change.removed[index] = try permanentID(change.removed[index]) }
    return change
  }
}

/// Uniqueness constraints.
extension PreparedBatch {
  private func checkConstraints(_ batch: ChangeBatch, in contents: StoreContents) throws(StoreError) {
    let leaving = Set(deleted.map(\.id) + updated.map(\.old.id))
    var holders: [UniqueKey: RowID] = [:]
    var conflicts: [RowConflict] = []
    let candidates =
      zip(batch.inserted, inserted).map { ($0.id, Int64(0), $1) }
      + updated.map { ($0.old.id, $0.old.version, $0.new) }
    for (id, version, row) in candidates {
      for (key, names) in contents.uniqueKeys(of: row) {
        let holder = contents.uniqueRows[key].flatMap { leaving.contains($0) ? nil : $0 }
        if holder == nil, holders.updateValue(id, forKey: key) == nil { continue }
        conflicts.append(
          RowConflict(id: id, expectedVersion: version, stored: holder.flatMap(contents.row), constraint: names))
      }
    }
    if let refusal = StoreError.refusal(byStore: nil, versions: [], constraints: conflicts) { throw refusal }
  }
}

extension StoreContents {
  /// The row with an ID, whichever entity of the hierarchy the ID states.
  func row(_ id: RowID) -> Row? { relations.layout(id.entity).flatMap { table(of: $0).row(id.key) } }
}
