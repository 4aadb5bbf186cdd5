import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSharing
import StrataSupport

/// The writes of opening a store, all of them under the writer lock.
extension StoreOpening {
  /// Runs `body` under the writer lock, after a check that this process sees what others saved: what it writes or deletes
  /// depends on that.
  func asOnlyWriter(_ connection: Connection, under writerLock: WriterLock, _ body: () throws -> Void) throws {
    try writerLock.withLock(timeout: options.timeout) {
      try connection.checkLogIndex()
      try body()
    }
  }

  /// Lays out an empty file the way Apple's framework does.
  func create(on connection: Connection) throws {
    guard try connection.integer("SELECT count(*) FROM sqlite_master") == 0 else { throw notAStore }
    // These two take effect only before the first page is written.
    try connection.run("PRAGMA page_size = 4096")
    try connection.run("PRAGMA auto_vacuum = INCREMENTAL")
    try setJournalMode(connection)
    let schema = try StoreSchema(model: model, configuration: configuration, dialect: .sqlite)
    try connection.writing {
      for statement in try SchemaWriter(schema: schema).create(history: options.keepsHistory) {
        try connection.run(statement)
      }
      let metadata = try StoreMetadata.bytes(of: StoreMetadata.dictionary(for: schema))
      try connection.run(StoreMetadata.insert, bindings: [.text(UUID().uuidString), .blob(metadata)])
      // The model cache is left out if the model has something Apple's format is not known for; a store can do without.
      try connection.run(StoreMetadata.insertModel, bindings: [(try? model.cache()).map(StoredValue.blob) ?? .null])
    }
  }

  /// Apple's framework wrote some stores with a rollback journal, where a reader and a writer block each other.
  func useWAL(_ connection: Connection, under writerLock: WriterLock) throws {
    guard try connection.value("PRAGMA journal_mode") != .text(journalMode) else { return }
    let start = ProcessInfo.processInfo.systemUptime
    // Not a Duration, which stops the program for a time-out without end.
    let end = start + options.timeout
    var hasWarned = false
    // Microseconds: a connection that is closing is gone soon, and one that stays need not be asked often.
    var pause: UInt32 = 1_000
    let maximumPause: UInt32 = 50_000
    while true {
      do {
        let rest = max(0, end - ProcessInfo.processInfo.systemUptime)
        return try writerLock.withLock(timeout: rest) { try setJournalMode(connection) }
      } catch let failure as StoreError where (failure.cause as? SQLiteFailure)?.isBusy == true {
        // The mode changes only while no other connection has the file open, and SQLite does not wait for that. The
        // last owner may have been released just now.
        let now = ProcessInfo.processInfo.systemUptime
        guard now < end else { throw heldOpen(by: failure) }
        if !hasWarned, now > start + Self.warningDelay {
          Diagnostics.warn(
            "waiting up to \(options.timeout) s to change the journal mode of the store '\(path)' to '\(journalMode)': "
              + "another connection has it open\(holders). Close it, or keep the current journal mode.")
          hasWarned = true
        }
        usleep(pause)
        pause = min(2 * pause, maximumPause)
      }
    }
  }

  /// The number of seconds before the warning. If the waiting thread itself has the store open, only the time-out ends the
  /// wait.
  private static let warningDelay = 1.0

  /// A list of who else has the store open, in parentheses; empty if that is unknown.
  private var holders: String { FileUsers(of: path).map { " (\($0.others(besides: 1)))" } ?? "" }

  private func heldOpen(by failure: StoreError) -> StoreError {
    StoreError(
      .busy,
      "Cannot change the journal mode of the store '\(path)' to '\(journalMode)': another connection still had it open "
        + "after \(options.timeout) s\(holders). Close it, or keep the current journal mode.", cause: failure)
  }

  /// The journal mode that the options ask for. Without a journal on disk, an interrupted commit would damage the file; a
  /// journal that is deleted after each commit leaves the same single file.
  private var journalMode: String {
    let mode = options.pragmas["journal_mode"]?.lowercased() ?? "wal"
    return ["off", "memory"].contains(mode) ? "delete" : mode
  }

  private func setJournalMode(_ connection: Connection) throws {
    let mode = journalMode
    guard ["wal", "delete", "truncate", "persist"].contains(mode) else {
      throw StoreError(
        .unsupported, "Cannot open the store '\(path)': SQLite has no journal mode '\(mode)'. Use WAL or DELETE.")
    }
    // The mode change itself uses a rollback journal. If a power failure brought that journal back, it would undo
    // everything that follows. EXTRA syncs its removal to disk first. See
    // https://sqlite.org/pragma.html#pragma_synchronous
    let level = try connection.integer("PRAGMA synchronous") ?? 1
    if level > 0 { try connection.run("PRAGMA synchronous = EXTRA") }
    defer { try? connection.run("PRAGMA synchronous = \(level)") }
    guard try connection.value("PRAGMA journal_mode = \(mode)") == .text(mode) else {
      throw StoreError(
        .io,
        "Cannot open the store '\(path)': its journal mode cannot be '\(mode)' here. The file system must support "
          + "shared memory, as local ones do.")
    }
  }

  /// Allows external data files, and removes those that a dead process left unfinished (invariant 6).
  func useFiles(_ connection: Connection, under writerLock: WriterLock, schema: StoreSchema) throws {
    let columns = schema.externalColumns
    try connection.writeExternalData(of: columns)
    guard connection.hasUnfinishedData(of: columns) else { return }
    try asOnlyWriter(connection, under: writerLock) { try connection.tidyExternalData(of: columns) }
  }

  /// Runs the slow maintenance that the options ask for. The rows do not change, so no process needs to reread them.
  func maintain(_ connection: Connection, under writerLock: WriterLock) throws {
    let statements = (options.vacuums ? ["VACUUM"] : []) + (options.analyzes ? ["ANALYZE"] : [])
    guard !statements.isEmpty else { return }
    try asOnlyWriter(connection, under: writerLock) {
      for statement in statements {
        writerLock.adjustUnlistedCount(by: 1)
        try connection.run(statement)
        try connection.checkLogIndex(afterCommit: true)
      }
    }
  }

  /// Creates the history, or updates its tables to the current layout, if the options ask for one. Returns whether
  /// commits are recorded in it.
  func startHistory(_ connection: Connection, under writerLock: WriterLock, schema: StoreSchema) throws -> Bool {
    guard options.keepsHistory else { return false }
    if try connection.historyCompletion(for: schema).isEmpty { return true }
    try asOnlyWriter(connection, under: writerLock) {
      try connection.writing {
        let statements = try connection.historyCompletion(for: schema)
        if !statements.isEmpty { writerLock.adjustUnlistedCount(by: 1) }
        for statement in statements { try connection.run(statement) }
      }
    }
    return true
  }
}

extension Connection {
  func historyLayout() throws -> HistoryLayout {
    var columns: [String: Set<String>] = [:]
    for row in try rows(HistoryLayout.read) {
      if case .text(let table) = row[0], case .text(let column) = row[1] { columns[table, default: []].insert(column) }
    }
    return HistoryLayout(columns: columns)
  }

  /// The statements that complete the history tables for the rows of a schema.
  func historyCompletion(for schema: StoreSchema) throws -> [SQLStatement] {
    HistoryWriter.completion(of: try historyLayout(), tombstones: HistoryWriter.tombstones(of: schema))
  }
}
