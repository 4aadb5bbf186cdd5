import Foundation
import StrataManagedModel
import StrataMemoryStore
import StrataRowStore
import Synchronization

/// A database server in this process, which several coordinators share. Its rows are in memory, and it has its own history,
/// signal and reader registry, but no file. Transaction numbers are unknown before COMMIT. They have gaps, because a
/// rejected commit uses one up, as with a PostgreSQL sequence.
final class TestDatabase: Sendable {
  /// A transaction, and the client that made it.
  struct Entry {
    var transaction: HistoryTransaction
    var client: UUID
  }

  struct Reader {
    var name: String?
    var position: HistoryPosition
    var isAlive = true
  }

  struct State {
    var history: [Entry] = []
    /// The last number allocated, and the last one committed.
    var lastNumber: Int64 = 0
    var newest: Int64 = 0
    /// All commits, even those without history.
    var commits = 0
    var readers: [Int: Reader] = [:]
    var listeners: [Int: @Sendable () -> Void] = [:]
    var lastKey = 0
    /// Whether each updated row of the last save may have a newer version, by entity name.
    var allowsNewerVersion: [String: Bool] = [:]
    /// The number of upcoming requests for the newest transaction that fail.
    var failingRequests = 0
  }

  let rows: MemoryStore
  let state = Mutex(State())
  /// Held while a reader registers and while history is purged.
  let registration = NSRecursiveLock()
  private let notifications = DispatchQueue(label: "test database")

  private init(model: NSManagedObjectModel, configuration: String?, number: Int) throws {
    rows = try MemoryStore(model: model, configuration: configuration, number: number, keepsHistory: true)
  }

  // MARK: By URL

  private static let all = Mutex<[String: TestDatabase]>([:])

  static func at(_ url: URL) -> TestDatabase? { all.withLock { $0[url.absoluteString] } }

  static func shared(at url: URL, model: NSManagedObjectModel, configuration: String?, number: Int) throws
    -> TestDatabase
  {
    try all.withLock { all in
      if let known = all[url.absoluteString] { return known }
      let new = try TestDatabase(model: model, configuration: configuration, number: number)
      all[url.absoluteString] = new
      return new
    }
  }

  /// Makes a database available at another URL, too.
  static func alias(_ url: URL, as other: URL) {
    all.withLock { $0[other.absoluteString] = $0[url.absoluteString] }
  }

  static func drop(_ url: URL) { all.withLock { $0[url.absoluteString] = nil } }

  // MARK: Commits

  /// Runs `body`, which changes the rows, and records the change in the history.
  /// - Parameter body: returns the number that the rows' store assigned to the transaction.
  /// - Returns: the number of the transaction; nil if nothing was changed.
  func commit(by client: UUID, keepingHistory: Bool, _ body: () throws -> Int64?) throws -> Int64? {
    try state.withLock { state in
      state.lastNumber += 1
      guard let own = try body() else {
        state.lastNumber -= 1
        return nil
      }
      state.commits += 1
      guard keepingHistory, var made = try rows.history(after: own - 1, limit: 1).first else { return nil }
      made.number = state.lastNumber
      state.newest = state.lastNumber
      state.history.append(Entry(transaction: made, client: client))
      return made.number
    }
  }

  func history(_ plan: HistoryQuery, for client: UUID) throws -> HistoryRange {
    try state.withLock { state in
      var range = HistoryRange()
      (range.oldest, range.newest) = (state.oldest, state.newest)
      range.start = state.history.first { $0.transaction.number == plan.after }?.transaction.timestamp
      for entry in state.history where plan.limit == 0 || range.transactions.count < plan.limit {
        var transaction = entry.transaction
        guard transaction.number > plan.after, transaction.number <= plan.upTo ?? .max,
          transaction.timestamp > plan.later ?? -.infinity, try plan.filter?(transaction) ?? true
        else { continue }
        transaction.isOwn = entry.client == client
        if plan.changes == .none { transaction.changes = [] }
        range.transactions.append(transaction)
      }
      return range
    }
  }

  func purge(before number: Int64) -> Int {
    state.withLock { state in
      let kept = state.history.drop { $0.transaction.number < number }
      defer { state.history = Array(kept) }
      return state.history.count - kept.count
    }
  }

  /// Wakes all listeners on the database's own thread.
  func notify() {
    let listeners = state.withLock { Array($0.listeners.values) }
    notifications.async { for listener in listeners { listener() } }
  }
}

extension TestDatabase.State {
  var oldest: Int64 { history.first?.transaction.number ?? newest + 1 }

  mutating func makeKey() -> Int {
    lastKey += 1
    return lastKey
  }
}
