import Foundation
import StrataManagedModel
import StrataPostgreSQLEngine
import StrataRowStore
import StrataSQLText

/// What the store remembers of its commits.
extension PostgreSQLStore {
  /// Reads transactions, changes and bounds as of one moment. Changes to entities that the model lacks are left out.
  package func history(_ plan: HistoryQuery) throws -> HistoryStretch {
    try readers.read { connection in
      guard keepsHistory else { return HistoryStretch() }
      return try connection.transaction(.reading) {
        var stretch = try bounds(from: plan.after, connection)
        stretch.transactions = try transactions(plan, connection)
        return stretch
      }
    }
  }

  private func bounds(from number: Int64, _ connection: ServerConnection) throws -> HistoryStretch {
    let result = try connection.run(
      SQLStatement(
        """
        SELECT last, (SELECT min(z_pk) FROM atransaction), (SELECT ztimestamp FROM atransaction WHERE z_pk = $1), \
        migrations \
        FROM strata_counter
        """, [.integer(number)]))
    guard result.integer(0, 3) == migrations else { throw migrated() }
    var stretch = HistoryStretch()
    stretch.newest = result.integer(0, 0)
    stretch.oldest = result.isNull(0, 1) ? stretch.newest.addingCapped(1) : result.integer(0, 1)
    if case .real(let time) = result.value(0, 2) { stretch.start = time }
    return stretch
  }

  private func transactions(_ plan: HistoryQuery, _ connection: ServerConnection) throws -> [HistoryTransaction] {
    let later: SQLStatement = plan.later.map { " AND ztimestamp > \(bind: .real($0))" } ?? ""
    let limit: StoredValue = plan.limit > 0 ? .integer(Int64(plan.limit)) : .null
    let statement: SQLStatement = """
      SELECT z_pk, zbatch, zauthor, zbundleid, zcontextname, zprocessid, ztimestamp, zorigin FROM atransaction \
      WHERE z_pk > \(bind: .integer(plan.after)) AND z_pk <= \(bind: .integer(plan.upTo ?? .max))\(later) \
      ORDER BY z_pk LIMIT \(bind: limit)
      """
    let result = try connection.run(schema.dialect.finished(statement))
    var found: [HistoryTransaction] = []
    var places: [Int64: Int] = [:]
    for row in 0..<result.rowCount {
      let transaction = transaction(row, of: result)
      guard try plan.filter?(transaction) ?? true else { continue }
      places[result.integer(row, 1)] = found.count
      found.append(transaction)
    }
    if plan.changes != .none { try addChanges(to: &found, places, isWhole: plan.changes == .whole, connection) }
    return found
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

  /// - Parameter places: of the transactions, by the number of their changes.
  private func addChanges(
    to transactions: inout [HistoryTransaction], _ places: [Int64: Int], isWhole: Bool, _ connection: ServerConnection
  ) throws {
    guard !places.isEmpty else { return }
    let detail = isWhole ? ", zproperties, ztombstone" : ""
    let result = try connection.run(
      SQLStatement(
        """
        SELECT zbatch, zplace, zchangetype, zentity, zentitypk\(detail) FROM achange \
        WHERE zbatch = ANY($1) ORDER BY zbatch, zplace
        """, [.list(StoredList(Array(places.keys)))]))
    for row in 0..<result.rowCount {
      guard let place = places[result.integer(row, 0)],
        let kind = HistoryChange.Kind(rawValue: result.integer(row, 2)),
        let entity = schema.number(ofStored: Int(result.integer(row, 3)))
      else { continue }
      let id = RowID(store: number, entity: entity, key: result.integer(row, 4))
      // Unique, and in the order of the history.
      let changeNumber = transactions[place].number << 32 | result.integer(row, 1)
      var change = HistoryChange(number: changeNumber, kind: kind, id: id)
      if isWhole { try complete(&change, row, of: result) }
      transactions[place].changes.append(change)
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
