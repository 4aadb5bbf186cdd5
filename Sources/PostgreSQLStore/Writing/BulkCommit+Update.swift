import StrataManagedModel
import StrataPostgreSQLEngine
import StrataRowStore
import StrataSQLText

extension BulkCommit {
  /// One UPDATE; or, if its condition or its values cannot be said in SQL, rows that are read, changed here and written.
  func update(_ update: BulkUpdate) throws {
    let writer = BulkWriter(selects: store.selects)
    guard let statement = try reader.supported({ try writer.update(update) }) else { return try updateHere(update) }
    var values: [StoredValue] = []
    for parameter in statement.parameters { values.append(try value(of: parameter, in: update.values)) }
    let names = store.schema.rowColumns
    let result = try connection.run(
      SQLStatement("\(statement.text) RETURNING \(names.key), \(names.entity)", values + statement.bindings))
    noteUpdates(try reader.ids(of: result).sorted { $0.key < $1.key }) { number in
      let layout = store.schema.model.layout(number: number)
      var words = [UInt64](repeating: 0, count: layout.nullWords)
      for (word, bits) in update.slots.enumerated() { words[word] = bits }
      let row = Row(page: RowPage(layout: layout, capacity: 1), index: 0)
      return RowUpdate(row: row, slots: words).propertyNames
    }
  }

  private func updateHere(_ update: BulkUpdate) throws {
    try lock(update.layout)
    let view = RowReader(ConnectionView(reader))
    var batch = ChangeBatch()
    for row in try reader.rows(for: update.plan).rows {
      batch.updated.append(try update.change(of: row, as: ViewedRow(row, view)))
    }
    if let failure = view.failure { throw failure }
    if !batch.updated.isEmpty { try apply(batch) }
  }

  private func value(of parameter: RowParameter, in row: Row) throws -> StoredValue {
    switch parameter {
    case .slot(let slot): row.storedValue(slot)
    case .slotEntity(let slot):
      if case .reference(let id) = row[slot] {
        .integer(Int64(store.schema.storedNumber(of: id.entity)))
      } else {
        .null
      }
    case .key, .entity, .version, .expectedVersion: .null
    }
  }
}

extension Row {
  /// A value as a statement takes it.
  fileprivate func storedValue(_ slot: Int) -> StoredValue {
    switch self[slot] {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .double(let real), .date(let real): real.isNaN ? .null : .real(real)
    case .decimal(let decimal): .text("\(decimal)")
    case .string(let text), .uri(let text): .text(text)
    case .uuid(let uuid): .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .data(let bytes): .blob(bytes)
    case .reference(let id): .integer(id.key)
    }
  }
}
