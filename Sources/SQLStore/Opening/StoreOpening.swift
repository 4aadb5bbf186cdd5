import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataWriterLock

/// How a file becomes a store, step by step.
struct StoreOpening: Sendable {
  let path: String
  let model: NSManagedObjectModel
  let configuration: String?
  let options: SQLStoreOptions

  func openReadOnly() throws -> OpenedStore {
    let connection = try openReader()
    guard try connection.hasTable("Z_METADATA") else { throw notAStore }
    let version = try connection.integer("PRAGMA schema_version")
    let (schema, identifier) = try read(connection)
    let keepsHistory = try connection.hasTable("ATRANSACTION")
    return OpenedStore(
      schema: schema, identifier: identifier, keepsHistory: keepsHistory, schemaVersion: version, reader: connection,
      isImmutable: connection.logMoment == nil)
  }

  func openForWriting() throws -> OpenedStore {
    let connection = try Connection(path: path, mode: .create, busyTimeout: options.timeout, mayGather: !saysHowToSync)
    SQLFunctions.define(on: connection)
    try configure(connection)
    let isNew = try !connection.hasTable("Z_METADATA")
    let writerLock = try WriterLock.ofStore(path)
    if isNew {
      try writerLock.locking(path, deadline: options.timeout) {
        // Another process may have been quicker.
        if try !connection.hasTable("Z_METADATA") { try create(on: connection) }
      }
    }
    try useWAL(connection, writerLock)
    if !isNew, try refusesToWrite(connection) { return try openWithoutHistory(connection) }
    if !isNew {
      try migrate(connection, writerLock)
      try adopt(connection, writerLock)
      try maintain(connection, writerLock)
    }
    let version = try connection.integer("PRAGMA schema_version")
    let (schema, identifier) = try read(connection)
    let keepsHistory = try startHistory(connection, writerLock, schema)
    try useFiles(connection, writerLock, schema)
    if !saysHowToSync { try connection.gatherLog() }
    return OpenedStore(
      schema: schema, identifier: identifier, keepsHistory: keepsHistory, schemaVersion: version, writer: connection,
      writerLock: writerLock)
  }

  /// Whether the store has a history that commits of this opener would not be in: who reads it would miss them.
  private func refusesToWrite(_ connection: Connection) throws -> Bool {
    guard !options.keepsHistory, try connection.hasTable("ATRANSACTION") else { return false }
    return try connection.integer("SELECT 1 FROM ATRANSACTION LIMIT 1") != nil
  }

  private func openWithoutHistory(_ connection: Connection) throws -> OpenedStore {
    connection.setCheckpointsOnClose(false)
    connection.close()
    return try openReadOnly()
  }

  /// A connection for readers, and for whoever copies the WAL back.
  func openReader() throws -> Connection {
    let connection = try Connection(path: path, mode: readingMode, busyTimeout: options.timeout)
    connection.setCheckpointsOnClose(false)
    // Look-ups by key take 0.7 of the time. A program that says itself what is mapped has its way.
    try connection.run("PRAGMA mmap_size = 268435456")
    connection.unmapsScans = !options.pragmas.keys.contains { $0.lowercased() == "mmap_size" }
    SQLFunctions.defineForReading(on: connection)
    try configure(connection)
    return connection
  }

  /// A store that is open for writing is read through connections that could write too: a WAL that a dead process
  /// left must be brought in order first by whoever comes next.
  private var readingMode: Connection.Mode { options.isReadOnly ? Connection.Mode(reading: path) : .readWrite }

  /// Whether the program says itself when the disk is to be waited for.
  private var saysHowToSync: Bool {
    options.pragmas.keys.contains { ["synchronous", "fullfsync", "checkpoint_fullfsync"].contains($0.lowercased()) }
  }

  private func configure(_ connection: Connection) throws {
    try connection.run("PRAGMA synchronous = NORMAL")
    // After a long reader the WAL shrinks to this again.
    try connection.run("PRAGMA journal_size_limit = 8388608")
    for (name, value) in options.pragmas.sorted(by: { $0.key < $1.key }) where name != "journal_mode" {
      try connection.run(try pragma(name, value))
    }
  }

  private func pragma(_ name: String, _ value: String) throws -> String {
    let isPlain = (name + value).utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
    guard isPlain, !name.isEmpty else {
      throw StoreError(
        .unsupported, "Cannot open the store '\(path)': '\(name) = \(value)' is no pragma. See sqlite.org/pragma.html.")
    }
    return "PRAGMA \(name) = \(value)"
  }
}

/// What opening a file gave.
struct OpenedStore {
  var schema: StoreSchema
  var identifier: String
  var keepsHistory: Bool
  /// The schema's version before the model was found to fit.
  var schemaVersion: Int64?
  /// The connection that writes, and its lock; nil when the store is read only.
  var writer: Connection?
  var writerLock: WriterLock?
  /// The connection that the store was read with, when it is read only.
  var reader: Connection?
  /// Whether it is read without locks.
  var isImmutable = false
}

extension Connection.Mode {
  /// How a file is read by who will not write it: without locks if its folder cannot hold the files that they need.
  init(reading path: String) {
    let folder = (path as NSString).deletingLastPathComponent
    let hasWAL = FileManager.default.fileExists(atPath: path + "-wal")
    self = access(folder, W_OK) != 0 && !hasWAL ? .immutable : .readOnly
  }
}

extension Connection {
  func hasDeclaration(_ name: String) throws -> Bool {
    try integer("SELECT count(*) FROM sqlite_master WHERE name = ?", [.text(name)]) != 0
  }

  func hasTable(_ name: String) throws -> Bool {
    try integer("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(name)]) == 1
  }
}
