import Foundation
import StrataCSQLite
import StrataRowStore
import StrataSharing

/// One connection to one database file. Used by one thread at a time; does not survive a fork.
package final class Connection: @unchecked Sendable {
  // @unchecked: its owner uses it from one thread at a time; SQLite itself takes no lock (NOMUTEX).

  package enum Mode: Sendable {
    /// Creates an empty file if the file does not exist.
    case create
    case readWrite
    case readOnly
    /// For a file that does not change, in a folder that cannot hold a WAL: no locking, no WAL.
    /// See https://sqlite.org/uri.html#uriimmutable
    case immutable
  }

  package let path: String
  /// Seconds that a statement waits for a foreign writer's lock before it fails as busy.
  @exclusivity(unchecked) package var busyTimeout: Double
  /// The number of pages in the WAL after this connection's last commit.
  @exclusivity(unchecked) package internal(set) var walPages = 0

  let handle: OpaquePointer
  @exclusivity(unchecked) var statements = StatementCache()
  /// The record formats of the tables scanned so far.
  var recordFormats: [String: RecordFormat] = [:]
  var waitingSince = 0.0
  /// The wal-index, once found.
  var logIndex: UnsafeRawPointer?
  /// Called at the start of each write transaction; an error it throws ends the transaction.
  @exclusivity(unchecked) package var beginsWriting: (() throws -> Void)?
  /// Called after each COMMIT; an error it throws says that the commit may be lost. Set when the store is opened.
  @exclusivity(unchecked) package var hasCommitted: (() throws -> Void)?
  @exclusivity(unchecked) package var cache = Cache.given
  /// The external data files; nil for a connection that writes none.
  @exclusivity(unchecked) var externalFiles: ExternalFiles?
  let dataFiles: DataFileReader
  let packing = Packing()
  /// Set while SQL debugging is on.
  var trace: StatementTrace?
  /// Defines rarely used functions; called once, when a statement names an unknown one.
  package var definesLate: ((Connection) -> Void)?

  /// The files that a guest opened; nil for other connections.
  private let guestView: GuestView?

  /// Whether the rows that this connection has read are current; always true where SQLite ensures it.
  package var isCurrent: Bool { guestView?.isCurrent ?? true }

  package var isGuest: Bool { guestView != nil }

  /// - Parameters:
  ///   - guestView: what a guest opens, in its mode.
  /// - Throws: `StoreError`, which says which condition did not hold.
  package init(path: String, mode: Mode, busyTimeout: Double, guestView: GuestView? = nil) throws {
    self.path = path
    self.guestView = guestView
    dataFiles = DataFileReader(of: path)
    self.busyTimeout = busyTimeout
    ForkDetector.watch()
    try ForkDetector.refuseChild("open", path: path)
    try FileSystem.refuseOthers(path)
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(mode.name(of: path), &opened, mode.flags | SQLITE_OPEN_NOMUTEX, StoreVFS.name)
    guard result == SQLITE_OK, let opened else {
      let failure = SQLiteFailure(opened, code: result, sql: nil)
      sqlite3_close_v2(opened)
      throw failure.storeError("open", path: path)
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    doNotMap()
    waitForLocks()
    countWALPages()
    startTracing()
  }

  /// Reads the file instead of mapping it, however SQLite was built: a page of a mapped file that was cut short raises
  /// SIGBUS. See https://sqlite.org/mmap.html
  private func doNotMap() {
    var limit: sqlite3_int64 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_MMAP_SIZE, &limit)
  }

  /// Whether the open transaction holds pages of a damaged file.
  private var holdsDamage = false

  /// Drops the pages of a damaged file from the cache, so that they are read again when the file is restored. SQLite
  /// keeps them until the next commit, and some until the end of the transaction: see `forgetHeldPages`.
  func forgetPages(after failure: SQLiteFailure) {
    guard failure.isDamage else { return }
    sqlite3_db_release_memory(handle)
    holdsDamage = isInTransaction
  }

  /// Drops what a transaction held, after its end.
  func forgetHeldPages() {
    guard holdsDamage else { return }
    holdsDamage = false
    sqlite3_db_release_memory(handle)
  }

  deinit { close() }

  /// Sets whether closing this connection checkpoints the WAL if it is the last one on the file. That must happen under
  /// the writer lock, so only a store's writer does it.
  package func setCheckpointsOnClose(_ checkpoints: Bool) {
    guard !isClosed else { return }
    strata_set_checkpoint_on_close(handle, checkpoints ? 1 : 0)
  }

  private var isClosed = false

  /// Closes the connection. Idempotent.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    logIndex = nil
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Defines the rarely used functions; returns false if they were defined before.
  func defineLate() -> Bool {
    guard let define = definesLate, String(cString: sqlite3_errmsg(handle)).hasPrefix("no such function") else {
      return false
    }
    definesLate = nil
    define(self)
    return true
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed, not counting triggers.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The connection's open file: `SQLITE_FCNTL_FILE_POINTER` or `SQLITE_FCNTL_JOURNAL_POINTER`.
  /// See https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html
  func openFile(_ which: Int32) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    return sqlite3_file_control(handle, "main", which, &file) == SQLITE_OK ? file : nil
  }

  func failure(_ code: Int32, sql: String?) -> SQLiteFailure { SQLiteFailure(handle, code: code, sql: sql) }
}

extension SQLiteFailure {
  init(_ connection: OpaquePointer?, code: Int32, sql: String?) {
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
