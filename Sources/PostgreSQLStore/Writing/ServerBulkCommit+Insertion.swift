import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

extension ServerBulkCommit {
  /// Writes pages as they come.
  func insert(_ insertion: BulkInsertion, startingWith first: BulkPage?) throws {
    guard store.schema.layouts.contains(where: { $0 === insertion.layout }) else {
      throw StoreError(
        .incompatibleModel,
        "The store '\(store.address)' cannot take a new \(insertion.layout.name): its configuration lacks the entity.")
    }
    let resolves = insertion.onConflict != .fail && !insertion.layout.constraints.isEmpty
    if resolves { try lock(insertion.layout) }
    var next = first
    while let page = next {
      try resolves ? resolve(page, of: insertion) : insert(page, of: insertion)
      next = try insertion.rows.next()
    }
  }

  private func insert(_ page: BulkPage, of insertion: BulkInsertion) throws {
    var batch = ChangeBatch()
    batch.inserted = (0..<page.page.count).map { Row(page: page.page, index: $0) }
    noteInsertions(try write(batch).inserted)
  }

  /// A page's row under a temporary id of its own.
  private func newRow(_ page: RowPage, _ index: Int) -> Row {
    let row = Row(page: page, index: index).copy()
    row.page.setID(.temporary(entity: page.layout.number), row: row.index)
    return row
  }

  /// Decides for each row of a page whether it is new, or changes a stored row or another of the page. Rows with the
  /// unique values of several others meet the first.
  private func resolve(_ page: BulkPage, of insertion: BulkInsertion) throws {
    let attributes = insertion.layout.attributeBits
    var stored = try storedMatches(page.page)
    var batch = ChangeBatch()
    var met: [UniqueKey: Match] = [:]
    for index in 0..<page.page.count {
      let row = newRow(page.page, index)
      let keys = uniqueKeys(of: row)
      guard let match = keys.lazy.compactMap({ met[$0] ?? stored[$0].map(Match.stored) }).first else {
        for key in keys { met[key] = .inserted(batch.inserted.count) }
        batch.inserted.append(row)
        continue
      }
      if insertion.onConflict == .keepStored { continue }
      let slots = insertion.onConflict == .takeAll ? attributes : Array(page.given(index))
      switch match {
      case .inserted(let place): batch.inserted[place].copySlots(slots, from: row)
      case .updated(let place):
        batch.updated[place].row.copySlots(slots, from: row)
        for word in slots.indices { batch.updated[place].slots[word] |= slots[word] }
      case .stored(let known):
        let update = try update(of: known, slots: slots, from: row, insertion)
        for key in keys + uniqueKeys(of: known) {
          met[key] = .updated(batch.updated.count)
          stored[key] = nil
        }
        batch.updated.append(update)
      }
    }
    let inserted = try write(batch).inserted
    // A row that this request inserted before still counts as inserted.
    for update in batch.updated where !insertedBefore.contains(update.row.id) { note(update) }
    noteInsertions(inserted)
    insertedBefore.formUnion(inserted)
  }

  private enum Match {
    case stored(Row)
    case inserted(Int)
    case updated(Int)
  }

  private struct UniqueKey: Hashable {
    var constraint: [String]
    var values: [SlotValue]
  }

  /// The row's values in its constraints. A constraint with a nil among them does not apply.
  private func uniqueKeys(of row: Row) -> [UniqueKey] {
    row.layout.constraints.compactMap { constraint in
      let values = constraint.names.compactMap { row.layout.slot(named: $0).map { row[$0] } }
      guard values.count == constraint.names.count, !values.contains(.null) else { return nil }
      return UniqueKey(constraint: [constraint.layout.name] + constraint.names, values: values)
    }
  }

  private func storedMatches(_ page: RowPage) throws -> [UniqueKey: Row] {
    var found: [UniqueKey: Row] = [:]
    for (layout, names) in page.layout.constraints {
      guard let slot = names.first.flatMap({ page.layout.slot(named: $0) }) else { continue }
      let values = (0..<page.count).map { Row(page: page, index: $0).predicateValue(slot) }.filter { $0 != .null }
      guard !values.isEmpty else { continue }
      let filter = PredicateNode.comparison(
        ComparisonNode(.keyPath([page.layout.slots[slot].name]), .in, .value(.list(values))))
      for row in try reader.rows(for: FetchQuery(layout: layout, filter: filter)).rows {
        for key in uniqueKeys(of: row) { found[key] = row }
      }
    }
    return found
  }

  private func update(
    of stored: Row, slots: [UInt64], from row: Row, _ insertion: BulkInsertion
  ) throws -> RowUpdate {
    guard insertion.layout.familyNumbers.contains(stored.id.entity) else {
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
  /// - Parameter slots: the slots to copy, as bits.
  fileprivate func copySlots(_ slots: [UInt64], from row: Row) {
    for slot in row.layout.slots.indices where slots[slot >> 6] >> UInt64(slot & 63) & 1 != 0 {
      page.copySlot(slot, to: index, from: row.page, row: row.index)
    }
  }
}

extension EntityLayout {
  /// The slots that are attributes, as a bit set.
  fileprivate var attributeBits: [UInt64] {
    var words = [UInt64](repeating: 0, count: nullWords)
    for (slot, property) in slots.enumerated() where property.kind != .toOne {
      words[slot >> 6] |= 1 << UInt64(slot & 63)
    }
    return words
  }
}
