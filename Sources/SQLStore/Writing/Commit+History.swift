import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// The history of a commit, in the same transaction as its rows (invariant 1).
extension Commit {
  /// Writes the transaction, and a change for each inserted, updated and deleted row of the batch. Returns its number; nil
  /// if the store keeps no history. Numbers are counted in Z_PRIMARYKEY, so that none is reused, even after a purge
  /// (invariant 5).
  func writeHistory() throws -> Int64? {
    guard store.keepsHistory else { return nil }
    let transaction = try store.insertTransaction(
      author: batch.author, contextName: batch.contextName, on: connection)
    let count = inserted.count + batch.updated.count + batch.deleted.count
    guard count > 0 else { return transaction }
    var change = try ChangeInsertion(
      connection, store.schema, transaction: transaction,
      first: PrimaryKeyAllocator(of: store, on: connection).allocate(count, of: HistoryWriter.changeNumber))
    for id in inserted { try change.insert(.insert, of: id) }
    var columns: (update: RowUpdate, bits: StoredValue)?
    // A row with changed links alone counts as updated too.
    for update in batch.updated {
      if columns?.update.changesSame(as: update) != true { columns = (update, .blob(bits(of: update))) }
      try change.insert(.update, of: update.row.id, columns: columns?.bits ?? .null)
    }
    for (index, deletion) in batch.deleted.enumerated() {
      if let kept = tombstones[index] {
        try change.insertDeletion(deletion.id, keeping: kept, count: store.history.tombstoneCount)
      } else {
        try change.insert(.delete, of: deletion.id)
      }
    }
    return transaction
  }

  /// The change bits of an update as the history stores them.
  private func bits(of update: RowUpdate) -> [UInt8] {
    store.history.columns(of: update.row.layout).bitmap(slots: update.slots, toMany: update.toMany)
  }
}

extension RowUpdate {
  /// Whether both change the same properties of the same entity.
  fileprivate func changesSame(as other: RowUpdate) -> Bool {
    row.layout === other.row.layout && slots == other.slots && toMany == other.toMany
  }
}

extension SQLStore {
  /// Inserts the row of a transaction, without changes. Returns its number.
  func insertTransaction(author: String?, contextName: String?, on connection: Connection) throws -> Int64 {
    let number = try PrimaryKeyAllocator(of: self, on: connection).allocate(1, of: HistoryWriter.transactionNumber)
    let insert = try connection.statement(HistoryWriter.insertTransaction)
    insert.bind(number, at: 1)
    let names = [author, options.bundleID, contextName, options.processID]
    var hasNewString = false
    for (index, name) in names.enumerated() {
      guard let name else {
        insert.bindNull(at: index + 2)
        continue
      }
      insert.bind(try key(of: name, hasNewString: &hasNewString, in: connection), at: index + 2)
    }
    insert.bind(Date().timeIntervalSinceReferenceDate, at: 6)
    try insert.run()
    return number
  }

  /// The key of a string in the string table. It is cached only once it is sure to stay: this transaction may be rolled
  /// back.
  private func key(of text: String, hasNewString: inout Bool, in connection: Connection) throws -> Int64 {
    if let known = writer?.strings[text] { return known }
    let find = try connection.statement(HistoryWriter.findString)
    try find.bind(.text(text), at: 1)
    defer { find.reset() }
    if try find.step() {
      let key = find.integer(0)
      if !hasNewString { writer?.strings[text] = key }
      return key
    }
    hasNewString = true
    let key = try PrimaryKeyAllocator(of: self, on: connection).allocate(1, of: HistoryWriter.stringNumber)
    try connection.run(HistoryWriter.insertString, bindings: [.integer(key), .text(text)])
    return key
  }
}

/// Writes changes one after another.
private struct ChangeInsertion {
  private let connection: Connection
  private let schema: StoreSchema
  private let statement: Statement
  /// Writes deletions with kept values; made when first needed.
  private var deletion: Statement?
  private let transaction: Int64
  private var next: Int64

  init(_ connection: Connection, _ schema: StoreSchema, transaction: Int64, first: Int64) throws {
    self.connection = connection
    self.schema = schema
    self.transaction = transaction
    statement = try connection.statement(HistoryWriter.insertChange)
    next = first
  }

  mutating func insert(_ kind: HistoryChange.Kind, of id: RowID, columns: StoredValue = .null) throws {
    bind(kind, of: id, to: statement)
    try statement.bind(columns, at: 6)
    try statement.run()
  }

  mutating func insertDeletion(_ id: RowID, keeping values: [StoredValue], count: Int) throws {
    let statement = try deletion ?? connection.statement(HistoryWriter.insertDeletion(tombstones: count))
    deletion = statement
    bind(.delete, of: id, to: statement)
    for index in 0..<count { try statement.bind(index < values.count ? values[index] : .null, at: 7 + index) }
    try statement.run()
  }

  private mutating func bind(_ kind: HistoryChange.Kind, of id: RowID, to statement: Statement) {
    statement.bind(next, at: 1)
    statement.bind(kind.rawValue, at: 2)
    statement.bind(Int64(schema.storedNumber(of: id.entity)), at: 3)
    statement.bind(id.key, at: 4)
    statement.bind(transaction, at: 5)
    next += 1
  }
}
