import StrataCSQLite
import StrataRowStore
import StrataSQLText

/// A prepared statement of one connection.
package final class Statement {
  package let text: String
  let handle: OpaquePointer
  unowned let connection: Connection
  /// The cache's clock when it last handed out this statement, for LRU eviction.
  var lastUse = 0
  /// The number of rows that the last fetch returned; nil before the first.
  @exclusivity(unchecked) package var lastCount: Int?
  /// Storage for short bound texts, so that SQLite need not copy them.
  let room: UnsafeMutableRawBufferPointer
  /// Enough for the few names and IDs that a look-up binds; SQLite copies longer ones.
  private static let bytesOfRoom = 128

  init(_ text: String, on connection: Connection) throws {
    var prepared: OpaquePointer?
    let persistent = UInt32(SQLITE_PREPARE_PERSISTENT)
    var result = sqlite3_prepare_v3(connection.handle, text, -1, persistent, &prepared, nil)
    if result & 0xFF == SQLITE_ERROR, connection.defineLate() {
      result = sqlite3_prepare_v3(connection.handle, text, -1, persistent, &prepared, nil)
    }
    guard result == SQLITE_OK, let prepared else {
      let failure = connection.failure(result, sql: text)
      connection.forgetPages(after: failure)
      throw failure.storeError("use", path: connection.path)
    }
    self.text = text
    self.connection = connection
    handle = prepared
    room = .allocate(byteCount: Self.bytesOfRoom, alignment: 1)
  }

  deinit {
    sqlite3_finalize(handle)
    room.deallocate()
  }

  /// Whether the statement has been stepped and not yet reset.
  var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  private var knownSorts: Bool?

  /// Whether SQLite sorts the rows after finding them, according to its query plan.
  /// See https://sqlite.org/eqp.html
  package var sorts: Bool {
    get throws {
      if let knownSorts { return knownSorts }
      let plan = try Statement("EXPLAIN QUERY PLAN " + text, on: connection)
      var sorts = false
      while try plan.step() { sorts = sorts || plan.text(3)?.hasSuffix("ORDER BY") == true }
      knownSorts = sorts
      return sorts
    }
  }

  /// Advances to the next row; returns false at the end.
  package func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw fail(code).storeError(isReadOnly ? "read" : "write", path: connection.path)
    }
  }

  /// Runs a statement, discards any rows, and resets it.
  package func run() throws {
    while try step() {}
    sqlite3_reset(handle)
  }

  /// Runs a statement that changes rows.
  /// - Returns: nil on success, otherwise SQLite's failure for the caller to judge.
  package func attempt() -> SQLiteFailure? {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else { return fail(code) }
    sqlite3_reset(handle)
    return nil
  }

  private func fail(_ code: Int32) -> SQLiteFailure {
    let failure = connection.failure(code, sql: text)
    sqlite3_reset(handle)
    connection.forgetPages(after: failure)
    return failure
  }

  /// Resets the statement; the bindings stay.
  package func reset() { sqlite3_reset(handle) }

  /// For SQLite, COMMIT reads: it changes the file by what other statements did.
  private var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 && text != "COMMIT" }
}
