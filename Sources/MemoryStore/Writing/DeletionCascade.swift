import StrataManagedModel
import StrataRowStore

/// The rows that a batch delete removes, level by level as it cascades, and the rows that it changes.
struct DeletionCascade {
  private let contents: StoreContents
  private var deleted: [Row] = []
  private var deletedIDs: Set<RowID> = []
  private var nullified: [RowID: RowUpdate] = [:]
  private var order: [RowID] = []

  /// - Throws: `.unsupported` for an entity with the deny rule.
  init(_ deletion: BulkDeletion, contents: StoreContents, store: Int) throws {
    self.contents = contents
    var level =
      switch deletion.selection {
      case .query(let query): try StoreView(contents).rows(for: query)
      case .ids(let ids): ids.compactMap { $0.store == store ? contents.row($0) : nil }
      }
    while !level.isEmpty {
      let new = level.filter { deletedIDs.insert($0.id).inserted }
      deleted += new
      for row in new where row.layout.deniesDeletion { throw BulkDeletion.refusal(of: row.layout) }
      level = new.flatMap(cascade)
    }
    for row in deleted { nullify(aroundOf: row) }
  }

  func batch() -> ChangeBatch {
    var batch = ChangeBatch()
    batch.deleted = deleted.map { RowDeletion(id: $0.id, version: nil) }
    batch.updated = order.compactMap { nullified[$0] }
    return batch
  }

  private func cascade(from row: Row) -> [Row] {
    ends(of: row) { relationship, _ in relationship.deleteRule == .cascadeDeleteRule }.flatMap(\.ids)
      .compactMap(contents.row)
  }

  /// Nullifies to-one relationships to a deleted row.
  private mutating func nullify(aroundOf row: Row) {
    let ends = ends(of: row) { relationship, inverse in
      guard relationship.deleteRule == .nullifyDeleteRule, case .slot = inverse else { return false }
      return true
    }
    for (inverse, ids) in ends {
      guard case .slot(let slot) = inverse else { continue }
      for id in ids where !deletedIDs.contains(id) { nullify(slot, of: id, leadingTo: row.id) }
    }
  }

  private mutating func nullify(_ slot: Int, of id: RowID, leadingTo target: RowID) {
    guard let stored = contents.row(id) else { return }
    var update =
      nullified[stored.id]
      ?? RowUpdate(row: stored.copy(), slots: Array(repeating: 0, count: stored.layout.nullWords))
    guard update.row.page.reference(row: update.row.index, slot: slot) == target else { return }
    if nullified[stored.id] == nil { order.append(stored.id) }
    update.row.page.setNil(row: update.row.index, slot: slot)
    update.slots[slot >> 6] |= 1 << UInt64(slot & 63)
    nullified[stored.id] = update
  }

  /// The destinations of some of a row's relationships.
  private func ends(
    of row: Row, where isWanted: (RelationshipLayout, InverseLocation) -> Bool
  ) -> [(inverse: InverseLocation, ids: [RowID])] {
    var found: [(inverse: InverseLocation, ids: [RowID])] = []
    for (slot, property) in row.layout.slots.enumerated() {
      guard let relationship = property.relationship, isWanted(relationship, property.inverse) else { continue }
      let id = row.page.reference(row: row.index, slot: slot)
      if id != .none { found.append((property.inverse, [id])) }
    }
    for (number, property) in row.layout.toMany.enumerated() where isWanted(property.relationship, property.inverse) {
      found.append((property.inverse, contents.links.members(of: ToManyTable.Key(owner: row.id, relationship: number))))
    }
    return found
  }
}
