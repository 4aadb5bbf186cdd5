import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Reading the store's history.
extension SQLStore {
  /// Reads transactions, changes and bounds in one transaction. Changes to entities that the model lacks are left out.
  package func history(_ query: HistoryQuery) throws -> HistoryRange {
    guard keepsHistory else { return HistoryRange() }
    return try readers.readInOneTransaction { reader in
      var range = try bounds(from: query.after, reader.connection)
      range.transactions = try transactions(query, reader.connection)
      return range
    }
  }

  /// The transactions with their changes.
  func transactions(_ query: HistoryQuery, _ connection: Connection) throws -> [HistoryTransaction] {
    var found = try bareTransactions(query, connection)
    guard query.changes != .none, let first = found.first?.number, let last = found.last?.number else { return found }
    let detail = query.changes == .whole ? try wholeChanges(connection) : .ids
    var fetcher = HistoryFetcher(of: self, reading: detail)
    try fetcher.addChanges(to: &found, after: first.addingCapped(-1), upTo: last, connection)
    return found
  }

  func bounds(from number: Int64, _ connection: Connection) throws -> HistoryRange {
    var range = HistoryRange()
    let statement = try connection.statement(HistoryWriter.bounds)
    statement.bind(number, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return range }
    range.oldest = statement.integer(0)
    range.newest = statement.integer(1)
    if case .real(let time) = statement.value(2) { range.start = time }
    return range
  }

  private func bareTransactions(_ query: HistoryQuery, _ connection: Connection) throws -> [HistoryTransaction] {
    let statement = try connection.statement(selectTransactions(query, connection))
    statement.bind(query.after, at: 1)
    statement.bind(query.upTo ?? .max, at: 2)
    statement.bind(query.limit > 0 ? Int64(query.limit) : -1, at: 3)
    if let later = query.later { try statement.bind(.real(later), at: 4) }
    defer { statement.reset() }
    var transactions: [HistoryTransaction] = []
    while try statement.step() {
      let transaction = HistoryTransaction(
        number: statement.integer(0), timestamp: statement.double(1), author: statement.text(2),
        contextName: statement.text(3), bundleID: statement.text(4), processID: statement.text(5), changes: [])
      if try query.filter?(transaction) ?? true { transactions.append(transaction) }
    }
    return transactions
  }

  private func selectTransactions(_ query: HistoryQuery, _ connection: Connection) throws -> String {
    let later = query.later != nil
    if query.changes == .ids, query.filter == nil, !later { return HistoryWriter.transactionsWithoutTexts }
    if let file = try foreignLayout(connection) { return HistoryWriter.transactions(later: later, in: file) }
    return HistoryWriter.transactions(later: later)
  }

  /// The layout of the history in a read-only file, which this framework may not have updated.
  private func foreignLayout(_ connection: Connection) throws -> HistoryLayout? {
    isReadOnly ? try connection.historyLayout() : nil
  }

  private func wholeChanges(_ connection: Connection) throws -> HistoryFetcher.Detail {
    guard let file = try foreignLayout(connection) else {
      return .whole(tombstones: history.tombstoneCount, hasBits: true)
    }
    return .whole(tombstones: min(history.tombstoneCount, file.tombstones), hasBits: file.hasBits)
  }

  /// Whether the history holds updates of an entity, by another program, whose change bits belong to another version of
  /// the model. Then none of that program's bits can be trusted for the entity.
  func hasOldBits(of entity: Int, _ connection: Connection) throws -> Bool {
    if let known = oldBits.withLock({ $0 }) { return known.contains(entity) }
    var found: Set<Int> = []
    for row in try connection.rows(HistoryWriter.foreignBits) {
      guard case .integer(let stored) = row[0], case .blob(let bits) = row[1],
        let number = schema.number(ofStored: Int(stored))
      else { continue }
      if !history.columns(of: schema.model.layout(number: number)).fits(bits) { found.insert(number) }
    }
    oldBits.withLock { $0 = found }
    return found.contains(entity)
  }

  package func newestTransaction() throws -> Int64 {
    guard keepsHistory else { return 0 }
    return try readers.read { try newestTransaction($0.connection) }
  }

  func newestTransaction(_ connection: Connection) throws -> Int64 {
    try connection.integer(HistoryWriter.newestTransaction) ?? 0
  }

  package func oldestTransaction() throws -> Int64 {
    guard keepsHistory else { return 1 }
    return try readers.read { try bounds(from: 0, $0.connection).oldest }
  }

  package func firstTransaction(since time: Double) throws -> Int64 {
    guard keepsHistory else { return 1 }
    return try readers.readInOneTransaction { reader in
      if let first = try reader.connection.integer(HistoryWriter.firstSince, bindings: [.real(time)]) { return first }
      return try newestTransaction(reader.connection).addingCapped(1)
    }
  }

  /// The number of transactions purged per lock: 2,000 take 3 ms; 50,000 would block other writers for 71 ms.
  private static let slice: Int64 = 2_000

  package func purgeHistory(before number: Int64) throws -> Int {
    guard try oldestTransaction() < number else { return 0 }
    return try purgeHistory { forget in try forget(number) }
  }

  /// Purges from the oldest on, slice by slice, so that others can write in between and an interrupted purge leaves no
  /// gap.
  /// - Parameter slice: called each time the lock is held, with a function that purges one slice of the transactions
  ///   before a number.
  func purgeHistory(_ slice: (_ forget: (_ number: Int64) throws -> Int) throws -> Int) throws -> Int {
    let writer = try writableStore()
    guard keepsHistory else { return 0 }
    var count = 0
    while true {
      let purged = try writer.write { connection, _ in
        try slice { number in
          try connection.writing { () throws -> Int in
            guard
              let end = try connection.integer(
                HistoryWriter.sliceEnd, bindings: [.integer(number), .integer(Self.slice)])
            else { return 0 }
            try connection.run(HistoryWriter.deleteChanges, bindings: [.integer(end)])
            try connection.run(HistoryWriter.deleteTransactions, bindings: [.integer(end)])
            let purged = connection.changes
            if purged > 0 { writer.adjustUnlistedCount(by: 1) }
            return purged
          }
        }
      }
      count += purged
      if purged < Self.slice { return count }
    }
  }
}
