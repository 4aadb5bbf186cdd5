import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

extension BulkCommit {
  /// One UPDATE. With history, the rows are recorded first by the same condition, since the update may change what the
  /// condition tests.
  func update(_ update: BulkUpdate) throws {
    let table = store.schema.table(of: update.layout).name
    let rows = try writer.rows(of: update.query)
    let family = update.includesSubentities ? update.layout.subtreeNumbers : [update.layout.number]
    let columns = writer.columns(update.slots, in: family, history: store.history)
    try record(.update, from: "\(table)\(rows)", columns: columns)
    if change.wantsIDs {
      receipt.updated = try ids("SELECT Z_PK, Z_ENT FROM \(table)\(rows.text)", bindings: rows.bindings)
    }
    receipt.updatedCount = try run(try writer.update(update), of: update)
  }

  private func run(_ bulk: BulkStatement, of update: BulkUpdate) throws -> Int {
    let binding = try RowBinding(
      RowStatement(text: bulk.text, parameters: bulk.parameters), layout: update.layout, schema: store.schema,
      on: connection)
    let values = update.values
    try binding.bind(values.page, row: values.index, id: .none, version: 0) { $0 }
    for (index, value) in bulk.bindings.enumerated() {
      try binding.statement.bind(value, at: bulk.parameters.count + 1 + index)
    }
    if let failure = binding.statement.attempt() { throw uniquenessError(failure, operation: "a row to be updated") }
    return connection.changes
  }
}
