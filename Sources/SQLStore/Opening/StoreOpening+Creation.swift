import Foundation
import StrataManagedModel
import StrataModelFiles
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataWriterLock

/// What is written when a store is opened; all of it under the writer lock.
extension StoreOpening {
  /// Lays out an empty file as Apple's framework would.
  func create(on connection: Connection) throws {
    guard try connection.integer("SELECT count(*) FROM sqlite_master") == 0 else { throw notAStore }
    // These two hold only if they are said before the first page is written.
    try connection.run("PRAGMA page_size = 4096")
    try connection.run("PRAGMA auto_vacuum = INCREMENTAL")
    try setJournalMode(connection)
    let schema = try StoreSchema(model: model, configuration: configuration)
    try connection.writing {
      for statement in try SchemaWriter(schema: schema).create(history: options.keepsHistory) {
        try connection.run(statement)
      }
      let metadata = try StoreMetadata.bytes(of: StoreMetadata.dictionary(for: schema))
      try connection.run(StoreMetadata.insert, [.text(UUID().uuidString), .blob(metadata)])
      // A model with what Apple's form is not known for is left out: a store can be without.
      try connection.run(StoreMetadata.insertModel, [(try? model.cache()).map(StoredValue.blob) ?? .null])
    }
  }

  /// Some stores that Apple's framework wrote come with a rollback journal; in that mode a reader and a writer wait for
  /// each other.
  func useWAL(_ connection: Connection, _ writerLock: WriterLock) throws {
    guard try connection.value("PRAGMA journal_mode") != .text(journalMode) else { return }
    try writerLock.locking(path, deadline: options.timeout) { try setJournalMode(connection) }
  }

  private var journalMode: String { options.pragmas["journal_mode"]?.lowercased() ?? "wal" }

  private func setJournalMode(_ connection: Connection) throws {
    let mode = journalMode
    guard ["wal", "delete", "truncate", "persist"].contains(mode) else {
      throw StoreError(
        .unsupported, "Cannot open the store '\(path)': the journal mode '\(mode)' can lose what was saved. Use WAL.")
    }
    // The mode is changed under a rollback journal. One that a power failure brings back would undo all that comes after:
    // EXTRA has its removal on the disk first. See https://sqlite.org/pragma.html#pragma_synchronous
    let level = try connection.integer("PRAGMA synchronous") ?? 1
    if level > 0 { try connection.run("PRAGMA synchronous = EXTRA") }
    defer { try? connection.run("PRAGMA synchronous = \(level)") }
    guard try connection.value("PRAGMA journal_mode = \(mode)") == .text(mode) else {
      throw StoreError(
        .io,
        "Cannot open the store '\(path)': its journal mode cannot be '\(mode)' here. The file system must offer "
          + "shared memory, as local ones do.")
    }
  }

  /// Lets large data lie in files, and removes what a dead process left of them.
  func useFiles(_ connection: Connection, _ writerLock: WriterLock, _ schema: StoreSchema) throws {
    let columns = schema.externalColumns
    try connection.writeExternalData(of: columns)
    guard !columns.isEmpty || connection.hasUnfinishedData else { return }
    try writerLock.locking(path, deadline: options.timeout) { try connection.tidyExternalData(of: columns) }
  }

  /// What the program asks for at the start, since it takes long. Rows stay what they are: nobody is to read them anew.
  func maintain(_ connection: Connection, _ writerLock: WriterLock) throws {
    let statements = (options.vacuums ? ["VACUUM"] : []) + (options.analyzes ? ["ANALYZE"] : [])
    guard !statements.isEmpty else { return }
    try writerLock.locking(path, deadline: options.timeout) {
      for statement in statements {
        writerLock.announceUnlisted()
        try connection.run(statement)
      }
    }
  }

  /// Whether commits go into the history: if it is asked for. It is made then, or brought to the layout that is written.
  func startHistory(_ connection: Connection, _ writerLock: WriterLock, _ schema: StoreSchema) throws -> Bool {
    guard options.keepsHistory else { return false }
    if try connection.historyCompletion(for: schema).isEmpty { return true }
    try writerLock.locking(path, deadline: options.timeout) {
      try connection.writing {
        let statements = try connection.historyCompletion(for: schema)
        if !statements.isEmpty { writerLock.announceUnlisted() }
        for statement in statements { try connection.run(statement) }
      }
    }
    return true
  }
}

extension Connection {
  /// How the tables of the history lie in the file.
  func historyLayout() throws -> HistoryLayout {
    var columns: [String: Set<String>] = [:]
    for row in try rows(HistoryLayout.read) {
      if case .text(let table) = row[0], case .text(let column) = row[1] { columns[table, default: []].insert(column) }
    }
    return HistoryLayout(columns: columns)
  }

  /// What the file lacks for a history of a schema's rows.
  func historyCompletion(for schema: StoreSchema) throws -> [SQLStatement] {
    HistoryWriter.completion(of: try historyLayout(), tombstones: HistoryWriter.tombstones(of: schema))
  }
}
