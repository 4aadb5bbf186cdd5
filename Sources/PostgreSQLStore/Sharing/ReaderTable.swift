import Foundation
import StrataRowStore
import StrataSQLText
import Synchronization

/// The registry of history readers in the table `strata_reader`.
///
/// A reader lives while the connection that registered it does: it holds an advisory lock, which the server releases
/// when the connection ends, however its process or host did. A named reader is remembered after its end, and delays
/// purges for a week after it last moved.
final class ReaderTable: HistoryReaderRegistry {
  private struct State {
    /// Holds the locks of all readers of this store; nil without readers.
    var connection: ServerConnection?
    /// The rows of the living readers.
    var living: Set<Int64> = []
  }

  private let address: ServerAddress
  private let retention: Double
  private let reconnectTimeout: Double
  private let state = Mutex(State())
  /// Positions of anonymous readers that are still to be written, by row. No caller waits for that: an outdated
  /// position only delays purges.
  private let pending = Mutex<[Int64: HistoryPosition]>([:])
  private let moves = DispatchQueue(label: "Core Data history readers")

  init(_ address: ServerAddress, retention: Double, reconnectTimeout: Double) {
    (self.address, self.retention, self.reconnectTimeout) = (address, retention, reconnectTimeout)
  }

  /// The oldest position of any reader; nil without readers. Removes rows that are no longer needed.
  /// - Parameter withInactive: whether named readers count that no process runs at the moment.
  func floor(withInactive: Bool, on connection: ServerConnection) throws -> Int64? {
    let now = Date().timeIntervalSinceReferenceDate
    try connection.run(
      SQLStatement(
        "DELETE FROM strata_reader r WHERE name IS NULL AND moved <= $2 AND NOT \(Self.lives)",
        [.text(address.schema), .real(now - Self.grace)]))
    let result = try connection.run(
      SQLStatement(
        """
        SELECT min(place) FROM strata_reader r WHERE \(Self.lives) OR name IS NULL \
        OR moved > $2
        """, [.text(address.schema), .real(withInactive ? now - retention : .infinity)]))
    return result.isNull(0, 0) ? nil : result.integer(0, 0)
  }

  /// For how many seconds after its last move a reader without a name counts without its lock: the server may have ended
  /// the connection, and the process not have come back yet.
  private static let grace = 30.0

  /// Whether a process holds the lock of a row `r`. `$1` is the schema.
  private static let lives = """
    EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 \
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
    AND l.classid::bigint = hashtext($1)::bigint & 4294967295 AND l.objid::bigint = r.id)
    """

  func register(at position: () throws -> HistoryPosition) throws -> any HistoryReader {
    try withConnection { connection, state in
      let position = try position()
      let result = try connection.run(
        SQLStatement(
          "INSERT INTO strata_reader (place, ztimestamp, moved) VALUES ($1, $2, $3) RETURNING id, \(Self.lock("id", 4))",
          position.values + [now, .text(address.schema)]))
      return add(result.integer(0, 0), name: nil, position, to: &state)
    }
  }

  func register(name: String, at position: () throws -> HistoryPosition) throws -> any HistoryReader {
    guard !name.isEmpty, name.utf8.count <= Self.maximumNameLength, !name.utf8.contains(0) else {
      throw StoreError(
        .unsupported, "The name of a history reader must have 1 to \(Self.maximumNameLength) bytes, but is '\(name)'.")
    }
    return try withConnection { connection, state in
      let first = try position()
      try connection.run(
        SQLStatement(
          "INSERT INTO strata_reader (name, place, ztimestamp, moved) VALUES ($4, $1, $2, $3) ON CONFLICT DO NOTHING",
          first.values + [now, .text(name)]))
      var backoff = RetryBackoff(seconds: Self.releaseTime)
      var result = try connection.run(Self.take(name, address))
      while result.rowCount == 1, result.integer(0, 3) == 0, backoff.sleepBeforeRetry() {
        result = try connection.run(Self.take(name, address))
      }
      let isTaken = result.rowCount == 1 && result.integer(0, 3) != 0
      guard isTaken, !state.living.contains(result.integer(0, 0)) else {
        // A connection counts how often it took a lock.
        if isTaken { try unlock(result.integer(0, 0), on: connection) }
        throw StoreError(
          .busy,
          "Another process or follower already follows the history of '\(address)' under the name '\(name)'. End it, or "
            + "choose another name: each of the two would miss what the other one reads.")
      }
      var known = HistoryPosition(number: result.integer(0, 1))
      if case .real(let time) = result.value(0, 2) { known.time = time }
      return add(result.integer(0, 0), name: name, known, to: &state)
    }
  }

  private static let maximumNameLength = 80

  /// The number of seconds that the server may need to notice that the owner of a name was killed.
  private static let releaseTime = 2.0

  private static func take(_ name: String, _ address: ServerAddress) -> SQLStatement {
    SQLStatement(
      "SELECT id, place, ztimestamp, \(lock("id", 2)) FROM strata_reader WHERE name = $1",
      [.text(name), .text(address.schema)])
  }

  /// Takes the lock of a row; false if another process holds it. One connection can take a lock several times, so
  /// `living` is checked too.
  private static func lock(_ id: String, _ schema: Int) -> String {
    "pg_try_advisory_lock(hashtext($\(schema)), \(id))"
  }

  private var now: StoredValue { .real(Date().timeIntervalSinceReferenceDate) }

  private func add(
    _ id: Int64, name: String?, _ position: HistoryPosition, to state: inout State
  ) -> any HistoryReader {
    state.living.insert(id)
    return TableReader(self, id: id, name: name, position)
  }

  func forget(name: String) throws {
    try withConnection { connection, _ in
      try connection.run(
        SQLStatement(
          "DELETE FROM strata_reader r WHERE name = $2 AND NOT \(Self.lives)", [.text(address.schema), .text(name)]))
    }
  }

  /// Runs `body` on the connection that holds the locks. A new one takes those of the readers that live.
  /// - Parameter waits: whether to wait for a server that cannot be reached.
  @discardableResult
  private func withConnection<T>(
    waits: Bool = true, _ body: (ServerConnection, inout State) throws -> T
  ) throws -> T {
    var backoff = RetryBackoff(seconds: waits ? reconnectTimeout : 0)
    return try state.withLock { state in
      var isFirst = true
      while true {
        do {
          return try body(connection(&state, &backoff), &state)
        } catch let error as StoreError where error.isLostConnection {
          guard isFirst || backoff.sleepBeforeRetry() else { throw error }
          isFirst = false
        }
      }
    }
  }

  private func connection(_ state: inout State, _ backoff: inout RetryBackoff) throws -> ServerConnection {
    if let connection = state.connection, connection.isAlive { return connection }
    let connection = try ServerConnection(to: address, name: "Core Data history readers", &backoff)
    let found = try connection.run(
      "SELECT pid::bigint, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()")
    connection.session = ServerConnection.Session(process: found.integer(0, 0), began: found.text(0, 1))
    // It may still have the locks, and would give them back for good when the server notices its end.
    if let session = state.connection?.session { try connection.end(session, &backoff) }
    for id in state.living {
      try connection.run(SQLStatement("SELECT \(Self.lock("$1::integer", 2))", [.integer(id), .text(address.schema)]))
    }
    state.connection = connection
    return connection
  }

  fileprivate func move(_ id: Int64, name: String?, to position: HistoryPosition) throws {
    if name != nil { return try write(id, name, position, isDurable: true) }
    let isFirst = pending.withLock { pending in
      defer { pending[id] = position }
      return pending.isEmpty
    }
    guard isFirst else { return }
    moves.async { [self] in
      writePending()
      // The next write waits in the queue. Not a timer, which would need a descriptor.
      Thread.sleep(forTimeInterval: Self.timeBetweenMoves)
    }
  }

  /// The number of seconds between two writes of positions: otherwise every reader would write after each commit.
  private static let timeBetweenMoves = 1.0

  /// Writes this process's positions, if the server can be reached.
  package func flush() { writePending() }

  private func writePending() {
    let positions = pending.withLock { pending in
      defer { pending = [:] }
      return pending
    }
    // Readers that have ended need no write; the next move makes up for a failure.
    let living = state.withLock { $0.living }
    for (id, position) in positions where living.contains(id) { try? write(id, nil, position, isDurable: false) }
  }

  private func write(_ id: Int64, _ name: String?, _ position: HistoryPosition, isDurable: Bool) throws {
    try withConnection(waits: isDurable) { connection, state in
      guard state.living.contains(id) else { return }
      // A purge may have removed the row while the connection was lost.
      let statement = SQLStatement(
        """
        INSERT INTO strata_reader (id, name, place, ztimestamp, moved) OVERRIDING SYSTEM VALUE \
        VALUES ($4, $5, $1, $2, $3) \
        ON CONFLICT (id) DO UPDATE SET place = excluded.place, ztimestamp = excluded.ztimestamp, moved = excluded.moved
        """, position.values + [now, .integer(id), name.map(StoredValue.text) ?? .null])
      if isDurable {
        try connection.run(statement)
      } else {
        _ = try connection.run([SQLStatement("SELECT set_config('synchronous_commit', 'off', true)"), statement])
      }
    }
  }

  private func unlock(_ id: Int64, on connection: ServerConnection) throws {
    try connection.run(
      SQLStatement("SELECT pg_advisory_unlock(hashtext($2), $1::integer)", [.integer(id), .text(address.schema)]))
  }

  fileprivate func end(_ id: Int64, isAnonymous: Bool) {
    state.withLock { state in
      state.living.remove(id)
      guard let connection = state.connection, connection.isAlive else { return }
      if isAnonymous {
        _ = try? connection.run(SQLStatement("DELETE FROM strata_reader WHERE id = $1", [.integer(id)]))
      }
      try? unlock(id, on: connection)
      if state.living.isEmpty { state.connection = nil }
    }
  }
}

extension HistoryPosition {
  fileprivate var values: [StoredValue] { [.integer(number), time.map(StoredValue.real) ?? .null] }
}

/// A live reader and its row.
private final class TableReader: HistoryReader, @unchecked Sendable {
  // Sendable: used by one thread at a time.
  private let table: ReaderTable
  private let id: Int64
  private let name: String?
  private(set) var position: HistoryPosition

  init(_ table: ReaderTable, id: Int64, name: String?, _ position: HistoryPosition) {
    (self.table, self.id, self.name, self.position) = (table, id, name, position)
  }

  func move(to position: HistoryPosition) throws {
    self.position = position
    try table.move(id, name: name, to: position)
  }

  func end() { table.end(id, isAnonymous: name == nil) }
}
