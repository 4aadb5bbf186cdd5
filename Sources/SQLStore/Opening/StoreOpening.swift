import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSharing
import StrataSupport

/// Opens a file as a store, step by step.
struct StoreOpening: Sendable {
  let path: String
  let model: NSManagedObjectModel
  let configuration: String?
  let options: SQLStoreOptions

  /// Opens a store for reading only, and waits while another process creates it.
  func openReadOnly() throws -> OpenedDatabase {
    try CreationWait.retrying(path, timeout: options.timeout) { try openExisting() }
  }

  private func openExisting() throws -> OpenedDatabase {
    // A guest repeats reads that overlap with a change: see GuestView.
    for _ in 1..<GuestView.maximumAttempts {
      let connection = try openReader()
      let opened = Result { try open(with: connection) }
      if connection.isCurrent { return try opened.get() }
      connection.close()
    }
    return try open(with: openReader())
  }

  private func open(with connection: Connection) throws -> OpenedDatabase {
    let version = try connection.integer("PRAGMA schema_version")
    let found = try FileDeclarations(connection)
    guard found.hasTable("Z_METADATA") else { throw found.isEmpty ? EmptyFile.error("open", path) : notAStore }
    let (schema, identifier) = try read(connection, found)
    return OpenedDatabase(
      schema: schema, identifier: identifier, keepsHistory: found.hasTable("ATRANSACTION"), schemaVersion: version,
      reader: connection, mayLackLog: connection.isGuest || connection.walSnapshot == nil)
  }

  func openForWriting() throws -> OpenedDatabase {
    // SQLite would then open the file for reading, and leave a log next to it that the owner cannot write.
    guard access(path, R_OK) != 0 || access(path, W_OK) == 0 else {
      throw StoreError(
        .permission,
        "Cannot open the store '\(path)' for writing: this process may not write the file. Open it read-only, or change "
          + "its permissions.")
    }
    let connection = try Connection(path: path, mode: .create, busyTimeout: options.timeout)
    SQLFunctions.define(on: connection)
    try configure(connection)
    let isNew = try !connection.hasTable("Z_METADATA")
    // Before a file is created next to another program's database. Another process may have just created the store.
    if isNew, try connection.integer("SELECT count(*) FROM sqlite_master") != 0,
      try !connection.hasTable("Z_METADATA")
    {
      throw notAStore
    }
    let writerLock = try WriterLock.ofStore(path)
    if isNew {
      try writerLock.withLock(timeout: options.timeout) {
        if try !connection.hasTable("Z_METADATA") { try create(on: connection) }
      }
    }
    try useWAL(connection, under: writerLock)
    if !isNew, try refusesToWrite(connection) { return try openWithoutHistory(connection) }
    if !isNew {
      try migrate(connection, under: writerLock)
      try adopt(connection, under: writerLock)
      try maintain(connection, under: writerLock)
    }
    let version = try connection.integer("PRAGMA schema_version")
    let (schema, identifier) = try read(connection)
    let keepsHistory = try startHistory(connection, under: writerLock, schema: schema)
    try useFiles(connection, under: writerLock, schema: schema)
    if !saysHowToSync { try connection.bufferWAL() }
    return OpenedDatabase(
      schema: schema, identifier: identifier, keepsHistory: keepsHistory, schemaVersion: version, writer: connection,
      writerLock: writerLock)
  }

  /// Whether the store has a history that this opener's commits would be missing from.
  private func refusesToWrite(_ connection: Connection) throws -> Bool {
    guard !options.keepsHistory, try connection.hasTable("ATRANSACTION") else { return false }
    return try connection.integer("SELECT 1 FROM ATRANSACTION LIMIT 1") != nil
  }

  private func openWithoutHistory(_ connection: Connection) throws -> OpenedDatabase {
    connection.setCheckpointsOnClose(false)
    connection.close()
    return try openReadOnly()
  }

  /// A connection for reading and for checkpoints.
  func openReader() throws -> Connection {
    guard options.isReadOnly, GuestView.isGuest(at: path) else { return try openReader(nil) }
    // The log may be there without its index, or be gone, because another process is opening or closing the store.
    for _ in 1..<GuestView.maximumAttempts {
      let view = GuestView(at: path)
      // The first read opens the log, whose lock then keeps it there.
      if let connection = try? openReader(view), (try? connection.integer("PRAGMA schema_version")) != nil {
        return connection
      }
      if view.isCurrent { usleep(1_000) }
    }
    return try openReader(GuestView(at: path))
  }

  private func openReader(_ guestView: GuestView?) throws -> Connection {
    // Readers of a writable store get connections that could write too: opening a WAL left by a dead process requires
    // recovering it first.
    let connection = try Connection(
      path: path, mode: options.isReadOnly ? guestView?.mode ?? .readOnly : .readWrite, busyTimeout: options.timeout,
      guestView: guestView)
    connection.setCheckpointsOnClose(false)
    // A program that sets one of them itself has its way.
    let isGiven = options.pragmas.keys.contains { ["cache_size", "mmap_size"].contains($0.lowercased()) }
    connection.cache = isGiven ? .given : .later
    SQLFunctions.defineForReading(on: connection)
    try configure(connection)
    return connection
  }

  /// Whether the program sets its own sync pragmas.
  private var saysHowToSync: Bool {
    options.pragmas.keys.contains { ["synchronous", "fullfsync", "checkpoint_fullfsync"].contains($0.lowercased()) }
  }

  private func configure(_ connection: Connection) throws {
    if !options.isReadOnly {
      try connection.run("PRAGMA synchronous = NORMAL")
      // So that the WAL shrinks again after a long read.
      try connection.run("PRAGMA journal_size_limit = 8388608")
    }
    for (name, value) in options.pragmas.sorted(by: { $0.key < $1.key }) where name != "journal_mode" {
      try connection.run(try pragma(name, value: value))
    }
  }

  private func pragma(_ name: String, value: String) throws -> String {
    let isPlain = (name + value).utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
    guard isPlain, !name.isEmpty else {
      throw StoreError(
        .unsupported,
        "Cannot open the store '\(path)': '\(name) = \(value)' is not a pragma. See sqlite.org/pragma.html.")
    }
    return "PRAGMA \(name) = \(value)"
  }
}

/// The result of opening a file.
struct OpenedDatabase {
  var schema: StoreSchema
  var identifier: String
  var keepsHistory: Bool
  /// The schema version from before the model was found to fit.
  var schemaVersion: Int64?
  /// The writing connection and its lock; nil if the store is read-only.
  var writer: Connection?
  var writerLock: WriterLock?
  /// The connection the store was read with, if it is read-only.
  var reader: Connection?
  /// Whether a log may come and go while the store is open.
  var mayLackLog = false
}

extension Connection.Mode {
  /// The mode for reading only: without locks if this process cannot, or must not, make the files that they need.
  init(reading path: String) { self = GuestView.isGuest(at: path) ? GuestView(at: path).mode : .readOnly }
}

extension Connection {
  func hasDeclaration(_ name: String) throws -> Bool {
    try integer("SELECT count(*) FROM sqlite_master WHERE name = ?", bindings: [.text(name)]) != 0
  }

  func hasTable(_ name: String) throws -> Bool {
    try integer("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?", bindings: [.text(name)]) == 1
  }
}
