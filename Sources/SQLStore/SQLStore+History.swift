import ManagedModel
import RowStore
import SQLText
import SQLiteEngine

/// What the store remembers of its commits.
extension SQLStore {
  /// Transactions and their changes are read at one moment. Changes of entities that the model lacks are left out.
  package func history(after transaction: Int64, limit: Int) throws -> [HistoryTransaction] {
    guard keepsHistory else { return [] }
    return try readers.readAtOneMoment { reader in
      var transactions = try self.transactions(after: transaction, limit: limit, reader.connection)
      guard let last = transactions.last?.number else { return [] }
      try addChanges(to: &transactions, after: transaction, upTo: last, reader.connection)
      return transactions
    }
  }

  private func transactions(
    after number: Int64, limit: Int, _ connection: Connection
  ) throws -> [HistoryTransaction] {
    let statement = try connection.statement(HistoryWriter.transactions)
    statement.bind(number, at: 1)
    statement.bind(limit > 0 ? Int64(limit) : -1, at: 2)
    defer { statement.reset() }
    var transactions: [HistoryTransaction] = []
    while try statement.step() {
      transactions.append(
        HistoryTransaction(
          number: statement.integer(0), timestamp: statement.double(1), author: statement.text(2),
          contextName: statement.text(3), bundleID: statement.text(4), processID: statement.text(5), changes: []))
    }
    return transactions
  }

  /// Both lists are in the order of the transactions' numbers.
  private func addChanges(
    to transactions: inout [HistoryTransaction], after first: Int64, upTo last: Int64, _ connection: Connection
  ) throws {
    let statement = try connection.statement(HistoryWriter.changes)
    statement.bind(first, at: 1)
    statement.bind(last, at: 2)
    defer { statement.reset() }
    var index = 0
    while try statement.step() {
      let transaction = statement.integer(0)
      while index < transactions.count && transactions[index].number < transaction { index += 1 }
      guard index < transactions.count else { return }
      guard transactions[index].number == transaction, let change = change(statement) else { continue }
      transactions[index].changes.append(change)
    }
  }

  private func change(_ statement: Statement) -> HistoryChange? {
    guard let kind = HistoryChange.Kind(rawValue: statement.integer(2)),
      let entity = schema.number(ofStored: Int(statement.integer(3)))
    else { return nil }
    var change = HistoryChange(
      number: statement.integer(1), kind: kind, id: RowID(store: number, entity: entity, key: statement.integer(4)))
    if kind == .update, case .blob(let bits) = statement.value(5) {
      change.updatedProperties = history.columns(of: schema.model.layout(number: entity)).names(in: bits)
    }
    return change
  }

  package func newestTransaction() throws -> Int64 {
    guard keepsHistory else { return 0 }
    return try readers.read { try $0.connection.integer(HistoryWriter.newestTransaction) ?? 0 }
  }
}
