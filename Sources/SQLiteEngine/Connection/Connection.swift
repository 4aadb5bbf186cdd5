import StrataCSQLite
import Foundation
import StrataRowStore
import StrataWriterLock

/// One connection to one file. It belongs to one thread at a time and does not survive a fork.
package final class Connection: @unchecked Sendable {
  // Sendable: its owner hands it to one thread at a time; SQLite takes no lock of its own (NOMUTEX).

  /// How the file is opened.
  package enum Mode: Sendable {
    /// A missing file is made, empty.
    case create
    case readWrite
    case readOnly
    /// For a file that nobody can change, in a folder that cannot hold a WAL: no locks, no WAL.
    /// See https://sqlite.org/uri.html#uriimmutable
    case immutable
  }

  package let path: String
  /// Seconds that a statement waits for the lock of a foreign writer before it fails as busy.
  @exclusivity(unchecked) package var busyTimeout: Double
  /// Pages in the WAL after this connection's last commit.
  @exclusivity(unchecked) package internal(set) var walPages = 0

  let handle: OpaquePointer
  @exclusivity(unchecked) var statements = StatementCache()
  /// How the tables that were read as a whole are made up.
  var forms: [String: RecordFormat] = [:]
  var waitingSince = 0.0
  /// The log's index, once it was found.
  var logIndex: UnsafeRawPointer?
  /// Asked at the beginning of each write transaction; what it throws ends the transaction.
  @exclusivity(unchecked) package var beginsWriting: (() throws -> Void)?
  /// Whether whole tables are read without the mapping of the file: see `withoutMapping`.
  package var unmapsScans = false
  /// The files with large data; nil of a connection that writes none.
  @exclusivity(unchecked) var externalFiles: ExternalFiles?
  let packing = Packing()
  /// What is shown of the statements, if that is asked for.
  var trace: StatementTrace?
  /// Defines functions that few statements call: asked once, when a statement names one that is not there.
  package var definesLate: ((Connection) -> Void)?

  /// - Parameter mayGather: whether `gatherLog()` is to come.
  /// - Throws: StoreError that says which condition did not hold.
  package init(path: String, mode: Mode, busyTimeout: Double, mayGather: Bool = false) throws {
    self.path = path
    self.busyTimeout = busyTimeout
    ForkMark.watch()
    try ForkMark.refuseChild("open", path)
    var opened: OpaquePointer?
    let vfs = mayGather ? Self.gatheringVFS : nil
    let result = sqlite3_open_v2(mode.name(of: path), &opened, mode.flags | SQLITE_OPEN_NOMUTEX, vfs)
    guard result == SQLITE_OK, let opened else {
      let failure = SQLiteFailure(opened, result, sql: nil)
      sqlite3_close_v2(opened)
      throw failure.storeError("open", path: path)
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    waitForLocks()
    countWALPages()
    startTracing()
  }

  deinit { close() }

  /// Whether this connection, if it is the last one of the file, copies the WAL back when it closes. That must happen
  /// under the writer lock, so only a store's writer does it.
  package func setCheckpointsOnClose(_ checkpoints: Bool) {
    guard !isClosed else { return }
    strata_set_checkpoint_on_close(handle, checkpoints ? 1 : 0)
  }

  private var isClosed = false

  /// Ends the connection; a second call does nothing.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    logIndex = nil
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Whether functions were defined that the last statement lacked.
  func defineLate() -> Bool {
    guard let define = definesLate, String(cString: sqlite3_errmsg(handle)).hasPrefix("no such function") else {
      return false
    }
    definesLate = nil
    define(self)
    return true
  }

  /// The rows that the last INSERT, UPDATE or DELETE touched, without those that triggers touched.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// One of the files that the connection has open: `SQLITE_FCNTL_FILE_POINTER` or `SQLITE_FCNTL_JOURNAL_POINTER`.
  /// See https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html
  func openFile(_ which: Int32) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    return sqlite3_file_control(handle, "main", which, &file) == SQLITE_OK ? file : nil
  }

  func failure(_ code: Int32, sql: String?) -> SQLiteFailure { SQLiteFailure(handle, code, sql: sql) }
}

extension SQLiteFailure {
  init(_ connection: OpaquePointer?, _ code: Int32, sql: String?) {
    let known = connection != nil && sqlite3_extended_errcode(connection) & 0xFF == code & 0xFF
    self.init(
      code: known ? sqlite3_extended_errcode(connection) : code,
      message: String(cString: known ? sqlite3_errmsg(connection) : sqlite3_errstr(code)),
      systemError: connection.map { sqlite3_system_errno($0) } ?? 0, sql: sql)
  }
}

extension Connection.Mode {
  fileprivate var flags: Int32 {
    switch self {
    case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readWrite: SQLITE_OPEN_READWRITE
    case .readOnly: SQLITE_OPEN_READONLY
    case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    }
  }

  fileprivate func name(of path: String) -> String {
    guard case .immutable = self else { return path }
    let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    return "file:\(escaped)?immutable=1"
  }
}
