import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Support for other processes with the same store.
extension PostgreSQLStore: HistoryKeeping {
  package var commitSignaling: (any CommitSignaling)? { keepsHistory ? self : nil }
  package var historyKeeping: (any HistoryKeeping)? { keepsHistory ? self : nil }
  package var historyReaders: any HistoryReaderRegistry { registry }
  package var signal: any CommitSignal { ServerSignal(address: address) }

  package func makeCommitProbe() throws -> any CommitProbe { CounterProbe(of: self, at: try newestTransaction()) }

  package func oldestTransaction() throws -> Int64 {
    try readers.read {
      let oldest = "SELECT coalesce((SELECT min(z_pk) FROM atransaction), last + 1) FROM strata_counter"
      return keepsHistory ? try $0.run(SQLStatement(oldest)).integer(0, 0) : 1
    }
  }

  package func firstTransaction(since time: Double) throws -> Int64 {
    try readers.read {
      let first = """
        SELECT coalesce((SELECT min(z_pk) FROM atransaction WHERE ztimestamp >= $1), last + 1) FROM strata_counter
        """
      return keepsHistory ? try $0.run(SQLStatement(first, [.real(time)])).integer(0, 0) : 1
    }
  }

  package func purgeHistory(before number: Int64) throws -> Int {
    try writer.withConnection { connection in
      try connection.transaction(.writing) { try purge(before: number, connection) }
    }
  }

  package func purgeHistory(before number: Int64, keepingInactive: Bool) throws -> Int {
    registry.flush()
    return try writer.withConnection { connection in
      try connection.transaction(.writing) {
        // No reader registers during the purge: its position could be purged before it is recorded.
        try connection.run("LOCK TABLE strata_reader IN SHARE ROW EXCLUSIVE MODE")
        let floor = try registry.floor(withInactive: keepingInactive, on: connection)
        return try purge(before: min(number, floor?.addingCapped(1) ?? .max), connection)
      }
    }
  }

  private func purge(before number: Int64, _ connection: ServerConnection) throws -> Int {
    let bound = [StoredValue.integer(number)]
    try connection.run(
      SQLStatement(
        "DELETE FROM achange USING atransaction t WHERE achange.zbatch = t.zbatch AND t.z_pk < $1", bound))
    return try connection.run(SQLStatement("DELETE FROM atransaction WHERE z_pk < $1", bound)).changes
  }
}

/// Wakes when the server reports a commit from any host. The COMMIT itself notifies, so nothing has to be posted
/// (invariant 2).
struct ServerSignal: CommitSignal {
  let address: ServerAddress

  func post() throws {}

  func observe(_ onChange: @escaping @Sendable () -> Void) throws -> ServerObservation {
    ServerObservation(try ServerListener(to: address.channel, at: address, onNotify: onChange))
  }
}

final class ServerObservation: SignalObservation {
  private let listener: ServerListener

  init(_ listener: ServerListener) { self.listener = listener }

  func cancel() { listener.cancel() }

  deinit { cancel() }
}

extension ServerAddress {
  /// The channel of the store's notifications.
  var channel: String { "strata_\(schema)".shortened(to: PostgreSQLDialect().maximumNameLength) }
}

/// Compares the number of the last transaction with the one before.
private final class CounterProbe: CommitProbe, @unchecked Sendable {
  // Sendable: one thread at a time asks a probe.
  private let store: PostgreSQLStore
  private var last: Int64

  init(of store: PostgreSQLStore, at last: Int64) { (self.store, self.last) = (store, last) }

  func hasChanged() throws -> Bool {
    let newest = try store.newestTransaction()
    defer { last = newest }
    return newest != last
  }

  func close() {}
}
