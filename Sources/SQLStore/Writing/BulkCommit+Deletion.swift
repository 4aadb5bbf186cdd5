import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

extension BulkCommit {
  /// Deletes rows and whatever their delete rules reach, set by set.
  func delete(_ deletion: BulkDeletion) throws {
    if case .query(let query) = deletion.selection, isPlain(query) {
      try connection.run(writer.remove(query))
      receipt.deletedCount = connection.changes
      return
    }
    try connection.run(BulkWriter.createGone)
    try connection.run(BulkWriter.clearGone)
    try gather(deletion)
    try followCascades()
    let gone = try goneEntities(BulkWriter.allGoneEntities)
    if change.wantsIDs { receipt.deleted = try ids(BulkWriter.goneRows) }
    for layout in gone { for emptied in writer.nullifications(of: layout) { try empty(emptied) } }
    for layout in gone { for text in writer.unlinking(layout) { try connection.run(text) } }
    for layout in gone { try remove(layout) }
    try connection.run(BulkWriter.clearGone)
  }

  /// Whether a single DELETE does it all.
  private func isPlain(_ query: FetchQuery) -> Bool {
    guard !store.keepsHistory, !change.wantsIDs else { return false }
    return family(of: query).allSatisfy { writer.isAlone($0) && !$0.deniesDeletion }
  }

  private func family(of query: FetchQuery) -> [EntityLayout] {
    (query.includesSubentities ? query.layout.subtreeNumbers : [query.layout.number]).map(store.schema.model.layout)
  }

  private func gather(_ deletion: BulkDeletion) throws {
    switch deletion.selection {
    case .query(let query): try connection.run(writer.gather(query))
    case .ids(let ids):
      let keys = ids.filter { $0.store == store.number }.map(\.key)
      try connection.run(writer.gatherKeys(of: deletion.layout), bindings: [.list(StoredList(keys))])
    }
  }

  private func followCascades() throws {
    var level: Int64 = 0
    while true {
      let layouts = try goneEntities(BulkWriter.goneEntities, bindings: [.integer(level)])
      if layouts.isEmpty { return }
      for layout in layouts {
        if layout.deniesDeletion { throw BulkDeletion.refusal(of: layout) }
        for text in writer.cascades(of: layout) {
          try connection.run(text, bindings: [.integer(level), .integer(level + 1)])
        }
      }
      level += 1
    }
  }

  private func goneEntities(_ text: String, bindings: [StoredValue] = []) throws -> [EntityLayout] {
    try connection.rows(text, bindings: bindings).compactMap { row in
      guard case .integer(let stored) = row[0], let number = store.schema.number(ofStored: Int(stored)) else {
        return nil
      }
      return store.schema.model.layout(number: number)
    }
  }

  /// Nullifies a to-one relationship of rows that stay.
  private func empty(_ emptied: Nullification) throws {
    let columns = writer.columns(emptied.slots, in: emptied.family, history: store.history)
    try record(.update, from: SQLStatement(emptied.rows), columns: columns)
    if change.wantsIDs { receipt.updated += try ids("SELECT Z_PK, Z_ENT FROM \(emptied.rows)") }
    try connection.run(emptied.update)
    receipt.updatedCount += connection.changes
  }

  private func remove(_ layout: EntityLayout) throws {
    let table = store.schema.table(of: layout)
    let kept = store.history.columns(of: layout).tombstones.map {
      HistoryColumns.isLarge(layout.slots[$0]) ? "NULL" : table.columns[$0]?.name ?? "NULL"
    }
    try record(.delete, from: writer.goneRows(of: layout), tombstones: kept)
    try connection.run(writer.removeGone(layout))
    receipt.deletedCount += connection.changes
  }
}
