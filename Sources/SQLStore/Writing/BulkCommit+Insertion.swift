import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

extension BulkCommit {
  /// Writes pages as they come. New keys are consecutive, so one statement writes the history of all new rows.
  func insert(_ insertion: BulkInsertion, startingWith first: BulkPage?) throws {
    let layout = insertion.layout
    let root = store.schema.table(of: layout).rootNumber
    let table = store.schema.table(of: layout).name
    let counter = PrimaryKeyAllocator(of: store, on: connection)
    let firstKey = try counter.allocate(0, of: root)
    var run = BulkInsertionRun(insertion, firstKey: firstKey)
    var indexes: DeferredIndexes?
    let isEmpty = try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table))") == 0
    var next = first
    while let page = next {
      try insertRows(of: page, run: &run)
      if isEmpty, indexes == nil, run.rowsSeen >= DeferredIndexes.minimumRows {
        indexes = try DeferredIndexes(of: table, connection)
      }
      next = try insertion.rows.next()
    }
    try indexes?.restore()
    _ = try counter.allocate(Int(run.nextKey - firstKey), of: root)
    try record(.insert, from: "\(table) WHERE Z_PK >= \(bind: .integer(firstKey))")
  }

  private func insertRows(of page: BulkPage, run: inout BulkInsertionRun) throws {
    for row in 0..<page.page.count {
      let id = RowID(store: store.number, entity: run.layout.number, key: run.nextKey)
      switch run.onConflict {
      case .fail: try insertPlainly(page.page, row: row, as: id, in: &run)
      case .keepStored, .takeGiven, .takeAll: try insertOrMeet(page, row: row, as: id, in: &run)
      }
      run.rowsSeen += 1
    }
  }

  private func insertPlainly(_ page: RowPage, row: Int, as id: RowID, in run: inout BulkInsertionRun) throws {
    let binding = try statements.insert(run.layout)
    try binding.bind(page, row: row, id: id, version: 1) { $0 }
    if let failure = binding.statement.attempt() {
      throw uniquenessError(
        failure, operation: "row \(run.rowsSeen) (counted from 0) of a batch insert of '\(run.layout.name)'")
    }
    noteInsertion(id, in: &run)
  }

  private func noteInsertion(_ id: RowID, in run: inout BulkInsertionRun) {
    run.nextKey += 1
    receipt.insertedCount += 1
    if change.wantsIDs { receipt.inserted.append(id) }
  }

  /// Inserts a row, or applies the policy to the row that already has its unique values.
  private func insertOrMeet(_ page: BulkPage, row: Int, as id: RowID, in run: inout BulkInsertionRun) throws {
    let slots = run.slots(of: page, row)
    let (layout, onConflict) = (run.layout, run.onConflict)
    let binding = try run.binding(slots: slots) { try makeBinding(slots: $0, layout: layout, onConflict: onConflict) }
    try binding.bind(page.page, row: row, id: id, version: 1) { $0 }
    let statement = binding.statement
    defer { statement.reset() }
    guard try statement.step() else {
      if run.onConflict == .keepStored { return }
      throw StoreError(
        .constraint,
        "Cannot write the store '\(store.path)': row \(run.rowsSeen) (counted from 0) of a batch insert of "
          + "'\(run.layout.name)' has the unique values of a row of an entity that it cannot change. Nothing was changed."
      )
    }
    let key = statement.integer(0)
    if key == id.key { return noteInsertion(id, in: &run) }
    let entity = store.schema.number(ofStored: Int(statement.integer(1))) ?? run.layout.number
    try noteUpdate(RowID(store: store.number, entity: entity, key: key), slots: slots, in: run)
  }

  /// A row inserted by the same request still counts as inserted.
  private func noteUpdate(_ id: RowID, slots: [UInt64], in run: BulkInsertionRun) throws {
    guard id.key < run.firstKey else { return }
    receipt.updatedCount += 1
    if change.wantsIDs { receipt.updated.append(id) }
    let layout = store.schema.model.layout(number: id.entity)
    try recordUpdate(of: id, columns: store.history.columns(of: layout).bitmap(slots: slots, toMany: []))
  }

  private func makeBinding(
    slots: [UInt64], layout: EntityLayout, onConflict: BulkInsertion.Conflict
  ) throws -> RowBinding {
    let statement =
      try onConflict == .keepStored ? writer.insertOrKeep(layout) : writer.insertOrUpdate(layout, slots: slots)
    return try RowBinding(statement, layout: layout, schema: store.schema, on: connection)
  }
}

/// The state of a batch insert.
struct BulkInsertionRun {
  let layout: EntityLayout
  let onConflict: BulkInsertion.Conflict
  let firstKey: Int64
  var nextKey: Int64
  var rowsSeen = 0
  /// All attributes, as bits.
  private let attributes: [UInt64]
  private var last: (slots: [UInt64], binding: RowBinding)?

  init(_ insertion: BulkInsertion, firstKey: Int64) {
    layout = insertion.layout
    self.firstKey = firstKey
    nextKey = firstKey
    attributes = layout.attributeBits
    let isUnique = layout.lineage.contains { !$0.uniqueNames.isEmpty }
    onConflict = isUnique ? insertion.onConflict : .fail
  }

  /// The slots that an existing row takes from a row of a page.
  func slots(of page: BulkPage, _ row: Int) -> [UInt64] {
    switch onConflict {
    case .takeAll: attributes
    case .takeGiven: Array(page.given(row))
    case .fail, .keepStored: []
    }
  }

  /// The statement for some slots, usually the same as for the previous row.
  mutating func binding(slots: [UInt64], make: ([UInt64]) throws -> RowBinding) rethrows -> RowBinding {
    if let last, last.slots == slots { return last.binding }
    let made = try make(slots)
    last = (slots, made)
    return made
  }
}
