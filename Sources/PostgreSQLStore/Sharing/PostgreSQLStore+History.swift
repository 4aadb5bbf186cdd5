import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Reading the store's history.
extension PostgreSQLStore {
  /// Reads transactions, changes and bounds as of one moment. Changes to entities that the model lacks are left out.
  package func history(_ query: HistoryQuery) throws -> HistoryRange {
    try readers.read { connection in
      guard keepsHistory else { return HistoryRange() }
      // A filter is evaluated here, not by the server.
      if query.filter == nil { return try rangeInOneRoundTrip(query, connection) }
      return try connection.transaction(.reading) {
        var range = try bounds(in: connection.run(bounds(from: query.after)))
        let found = try connection.run(schema.dialect.finished(transactions(Self.columns, query)))
        var indexes: [Int64: Int] = [:]
        for row in 0..<found.rowCount {
          let transaction = transaction(row, of: found)
          guard try query.filter?(transaction) ?? true else { continue }
          indexes[found.integer(row, 1)] = range.transactions.count
          range.transactions.append(transaction)
        }
        if query.changes != .none, !indexes.isEmpty {
          let batches: SQLStatement = "\(bind: .list(StoredList(Array(indexes.keys))))"
          let result = try connection.run(changes(of: batches, query))
          try add(result, isWhole: query.changes == .whole, to: &range.transactions, indexes)
        }
        return range
      }
    }
  }

  /// In one round trip: every reader of the history waits for this after each commit.
  private func rangeInOneRoundTrip(_ query: HistoryQuery, _ connection: ServerConnection) throws -> HistoryRange {
    var statements = [
      SQLStatement(TransactionKind.reading.rawValue), bounds(from: query.after),
      schema.dialect.finished(transactions(Self.columns, query)),
    ]
    // An array, whose members the index finds: the planner would read all changes for a list of unknown length.
    let batches: SQLStatement = "ARRAY(\(transactions("zbatch", query)))"
    if query.changes != .none { statements.append(changes(of: batches, query)) }
    statements.append("COMMIT")
    let results: [ServerResult]
    do {
      results = try connection.run(statements)
    } catch {
      if connection.isAlive, connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
      throw error
    }
    var range = try bounds(in: results[1])
    var indexes: [Int64: Int] = [:]
    for row in 0..<results[2].rowCount {
      indexes[results[2].integer(row, 1)] = row
      range.transactions.append(transaction(row, of: results[2]))
    }
    if query.changes != .none {
      try add(results[3], isWhole: query.changes == .whole, to: &range.transactions, indexes)
    }
    return range
  }

  private func bounds(from number: Int64) -> SQLStatement {
    SQLStatement(
      """
      SELECT last, (SELECT min(z_pk) FROM atransaction), (SELECT ztimestamp FROM atransaction WHERE z_pk = $1), \
      migrations FROM strata_counter
      """, [.integer(number)])
  }

  private func bounds(in result: ServerResult) throws -> HistoryRange {
    guard result.integer(0, 3) == migrations else { throw migrated() }
    var range = HistoryRange()
    range.newest = result.integer(0, 0)
    range.oldest = result.isNull(0, 1) ? range.newest.addingCapped(1) : result.integer(0, 1)
    if case .real(let time) = result.value(0, 2) { range.start = time }
    return range
  }

  private static let columns = "z_pk, zbatch, zauthor, zbundleid, zcontextname, zprocessid, ztimestamp, zorigin"

  private func transactions(_ columns: String, _ query: HistoryQuery) -> SQLStatement {
    let later: SQLStatement = query.later.map { " AND ztimestamp > \(bind: .real($0))" } ?? ""
    let limit: StoredValue = query.limit > 0 ? .integer(Int64(query.limit)) : .null
    return """
      SELECT \(columns) FROM atransaction WHERE z_pk > \(bind: .integer(query.after)) \
      AND z_pk <= \(bind: .integer(query.upTo ?? .max))\(later) ORDER BY z_pk LIMIT \(bind: limit)
      """
  }

  /// - Parameter batches: an array of the numbers that transactions' changes have.
  private func changes(of batches: SQLStatement, _ query: HistoryQuery) -> SQLStatement {
    let detail = query.changes == .whole ? ", zproperties, ztombstone" : ""
    let statement: SQLStatement = """
      SELECT zbatch, zplace, zchangetype, zentity, zentitypk\(detail) FROM achange \
      WHERE zbatch = ANY(\(batches)) ORDER BY zbatch, zplace
      """
    return schema.dialect.finished(statement)
  }

  private func transaction(_ row: Int, of result: ServerResult) -> HistoryTransaction {
    func text(_ column: Int) -> String? { result.isNull(row, column) ? nil : result.text(row, column) }
    var transaction = HistoryTransaction(
      number: result.integer(row, 0), timestamp: BinaryValue.real(result.bytes(row, 6)), author: text(2),
      contextName: text(4), bundleID: text(3), processID: text(5), changes: [])
    let batch = result.integer(row, 1)
    transaction.isOwn =
      result.bytes(row, 7).elementsEqual(originBytes) && !abandoned.withLock { $0.contains(batch) }
    return transaction
  }

  /// - Parameter indexes: of the transactions, by the number of their changes.
  private func add(
    _ result: ServerResult, isWhole: Bool, to transactions: inout [HistoryTransaction], _ indexes: [Int64: Int]
  ) throws {
    for row in 0..<result.rowCount {
      guard let index = indexes[result.integer(row, 0)],
        let kind = HistoryChange.Kind(rawValue: result.integer(row, 2)),
        let entity = schema.number(ofStored: Int(result.integer(row, 3)))
      else { continue }
      let id = RowID(store: number, entity: entity, key: result.integer(row, 4))
      // Unique, and in the order of the history.
      let changeNumber = transactions[index].number << 32 | result.integer(row, 1)
      var change = HistoryChange(number: changeNumber, kind: kind, id: id)
      if isWhole { try complete(&change, row, of: result) }
      transactions[index].changes.append(change)
    }
  }

  private func complete(_ change: inout HistoryChange, _ row: Int, of result: ServerResult) throws {
    if !result.isNull(row, 5) { change.updatedProperties = result.text(row, 5).split(separator: ",").map(String.init) }
    guard !result.isNull(row, 6) else { return }
    let kept = try StoreMetadata.dictionary(from: Array(result.bytes(row, 6)))
    let layout = schema.model.layout(number: change.id.entity)
    for (name, value) in kept {
      guard let slot = layout.slot(named: name), let value = SlotValue(value, of: layout.slots[slot].kind) else {
        continue
      }
      change.tombstone[slot] = value
    }
  }

  package func newestTransaction() throws -> Int64 {
    try readers.read { keepsHistory ? try $0.run("SELECT last FROM strata_counter").integer(0, 0) : 0 }
  }
}

extension SlotValue {
  /// A value of a property list as that of a slot; nil if it is of another type, as after a migration.
  fileprivate init?(_ value: any Sendable, of kind: SlotKind) {
    switch (kind, value) {
    case (.integer16, let number as Int), (.integer32, let number as Int), (.integer64, let number as Int):
      self = .integer(Int64(number))
    case (.boolean, let number as Int): self = .boolean(number != 0)
    case (.double, let real as Double), (.float, let real as Double): self = .double(real)
    case (.date, let real as Double): self = .date(real)
    case (.decimal, let text as String):
      guard let decimal = Decimal(string: text) else { return nil }
      self = .decimal(decimal)
    case (.string, let text as String): self = .string(text)
    case (.uri, let text as String): self = .uri(text)
    case (.uuid, let data as Data):
      guard data.count == 16 else { return nil }
      self = .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case (.data, let data as Data), (.transformable, let data as Data): self = .data(Array(data))
    default: return nil
    }
  }
}
