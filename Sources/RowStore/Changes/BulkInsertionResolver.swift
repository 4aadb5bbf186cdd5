import StrataManagedModel

/// A row's values in one uniqueness constraint.
package struct UniqueKey: Hashable, Sendable {
  /// The constraint's number in the model.
  package let constraint: Int
  package let values: [SlotValue]

  /// - Returns: nil if one of the values is nil: then the constraint does not apply.
  package init?(constraint: Int, slots: [Int], of row: Row) {
    let values = slots.map { row[$0] }
    guard !values.contains(.null) else { return nil }
    (self.constraint, self.values) = (constraint, values)
  }
}

/// Turns the rows of a batch insert into a change batch: a row with the unique values of another one, stored or earlier in
/// the batch, updates that row or is dropped, as the request says. A row with the unique values of several others updates
/// the first.
package struct BulkInsertionResolver {
  private enum Match {
    case inserted(Int)
    case updated(Int)
  }

  package private(set) var batch = ChangeBatch()
  private let insertion: BulkInsertion
  private let attributes: [UInt64]
  /// The rows of the batch, by the keys that they have or that their stored rows had.
  private var matches: [UniqueKey: Match] = [:]

  package init(_ insertion: BulkInsertion) {
    self.insertion = insertion
    attributes = insertion.layout.attributeBits
  }

  /// Adds a row to the batch, which may change it again for a later row.
  /// - Parameters:
  ///   - given: the row's given slots, as a bit set.
  ///   - keys: returns the unique keys of a row.
  ///   - storedRow: returns the stored row with a unique key.
  /// - Throws: `.constraint` for the unique values of a row that the request cannot change.
  package mutating func add(
    _ row: Row, given: [UInt64], keys: (Row) -> [UniqueKey], storedRow: (UniqueKey) -> Row?
  ) throws {
    let rowKeys = keys(row)
    if insertion.onConflict != .fail {
      let slots = insertion.onConflict == .takeAll ? attributes : given
      for key in rowKeys {
        if let match = matches[key] { return merge(row, slots: slots, into: match) }
        guard let stored = storedRow(key) else { continue }
        if insertion.onConflict == .keepStored { return }
        let update = try update(of: stored, slots: slots, from: row)
        for key in rowKeys + keys(stored) { matches[key] = .updated(batch.updated.count) }
        batch.updated.append(update)
        return
      }
    }
    for key in rowKeys { matches[key] = .inserted(batch.inserted.count) }
    batch.inserted.append(row)
  }

  private mutating func merge(_ row: Row, slots: [UInt64], into match: Match) {
    if insertion.onConflict == .keepStored { return }
    switch match {
    case .inserted(let index): batch.inserted[index].copySlots(slots, from: row)
    case .updated(let index):
      batch.updated[index].row.copySlots(slots, from: row)
      for word in slots.indices { batch.updated[index].slots[word] |= slots[word] }
    }
  }

  private func update(of stored: Row, slots: [UInt64], from row: Row) throws -> RowUpdate {
    guard insertion.layout.subtreeNumbers.contains(stored.id.entity) else {
      throw StoreError(
        .constraint,
        "A batch insert of '\(insertion.layout.name)' was refused: a \(stored.layout.name), which it cannot change, has "
          + "the same unique values.")
    }
    let copy = stored.copy()
    copy.copySlots(slots, from: row)
    var words = [UInt64](repeating: 0, count: stored.layout.nullWords)
    for word in slots.indices { words[word] = slots[word] }
    return RowUpdate(row: copy, slots: words)
  }
}

extension Row {
  /// - Parameter slots: the slots to copy, as a bit set.
  fileprivate func copySlots(_ slots: [UInt64], from row: Row) {
    for slot in row.layout.slots.indices where slots[slot >> 6] >> UInt64(slot & 63) & 1 != 0 {
      page.copySlot(slot, to: index, from: row.page, row: row.index)
    }
  }
}

extension EntityLayout {
  /// The slots that are attributes, as a bit set.
  package var attributeBits: [UInt64] {
    var words = [UInt64](repeating: 0, count: nullWords)
    for (slot, property) in slots.enumerated() where property.kind != .toOne {
      words[slot >> 6] |= 1 << UInt64(slot & 63)
    }
    return words
  }
}
