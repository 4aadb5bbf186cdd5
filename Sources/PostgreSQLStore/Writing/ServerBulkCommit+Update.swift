import StrataManagedModel
import StrataRowStore
import StrataSQLText

extension ServerBulkCommit {
  /// One UPDATE; or, if SQL cannot express its condition or its values, rows that are read, changed in memory and written.
  func update(_ update: BulkUpdate) throws {
    let writer = BulkWriter(selects: store.selects)
    guard let statement = try reader.supported({ try writer.update(update) }), statement.bindings.areAccepted else {
      return try updateInMemory(update)
    }
    var values: [StoredValue] = []
    for parameter in statement.parameters { values.append(try value(of: parameter, in: update.values)) }
    let names = store.schema.rowColumns
    let result = try connection.run(
      SQLStatement("\(statement.text) RETURNING \(names.key), \(names.entity)", values + statement.bindings))
    // The first slots of a sub-entity are those of its parent.
    let properties = update.layout.propertyNames(slots: update.slots).joined(separator: ",")
    for id in try reader.ids(of: result).sorted(by: { $0.key < $1.key }) { noteUpdate(of: id, properties: properties) }
  }

  private func updateInMemory(_ update: BulkUpdate) throws {
    try lock(update.layout)
    let view = RowReader(ConnectionView(reader))
    var batch = ChangeBatch()
    for row in try reader.rows(for: update.query).rows {
      batch.updated.append(try update.change(of: row, as: ViewedRow(row, view)))
    }
    if let failure = view.failure { throw failure }
    if batch.updated.isEmpty { return }
    _ = try write(batch)
    batch.updated.forEach(note)
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
