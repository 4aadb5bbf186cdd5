import Foundation
import Glibc
import StrataFormats
import StrataManagedModel
import StrataModelSource
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSharing

/// Operations on a store's file as a whole.
extension SQLStore {
  /// Whether a URL means an in-memory store: `/dev/null`, or `/dev/null/<name>` for one that can be shared.
  package static func isInMemory(_ url: URL) -> Bool { MemoryLocation.isMeant(by: url) }

  /// The file of a store that need not be open. An in-memory store must be, and is kept alive by its location.
  private static func file(
    of url: URL, isReadOnly: Bool = false
  ) throws -> (path: String, memory: MemoryLocation?) {
    guard isInMemory(url) else { return (try url.storePath(isReadOnly: isReadOnly), nil) }
    guard let memory = MemoryLocation.open(url) else {
      throw StoreError(
        .notOpen,
        "The store '\(url.path)' does not exist: an in-memory store lasts only while it is open, and others find it "
          + "only under a name, '/dev/null/<name>'.")
    }
    return (memory.path, memory)
  }

  /// The metadata of a store; it need not be open, nor its model known.
  package static func metadata(at url: URL) throws -> [String: any Sendable] {
    let (path, memory) = try file(of: url, isReadOnly: true)
    defer { withExtendedLifetime(memory) {} }
    return try CreationWait.retrying(path, timeout: 5) {
      let connection = try Connection(path: path, mode: Connection.Mode(reading: path), busyTimeout: 5)
      connection.setCheckpointsOnClose(false)
      // In one transaction: the store may be created between two questions.
      let found = try connection.reading {
        guard try connection.hasTable("Z_METADATA"), let found = try metadata(connection) else {
          throw notAStore(connection)
        }
        return found
      }
      return found.dictionary.merging([identifierKey: found.identifier]) { _, own in own }
    }
  }

  /// The copy of the model in the file; nil if it is missing or cannot be read.
  package static func keptModel(at url: URL) throws -> NSManagedObjectModel? {
    let (path, memory) = try file(of: url, isReadOnly: true)
    defer { withExtendedLifetime(memory) {} }
    let connection = try Connection(path: path, mode: Connection.Mode(reading: path), busyTimeout: 5)
    connection.setCheckpointsOnClose(false)
    return try? keptModel(connection)?.model
  }

  /// The copy of the model in the file, with warnings about the parts that could not be used; nil without a copy.
  static func keptModel(_ connection: Connection) throws -> (model: NSManagedObjectModel, warnings: [ModelWarning])? {
    guard try connection.hasTable("Z_MODELCACHE"),
      case .blob(let bytes)? = try connection.value(StoreMetadata.readModel)
    else { return nil }
    return try NSManagedObjectModel.model(cache: bytes, file: connection.path)
  }

  static func notAStore(_ connection: Connection) -> StoreError {
    if (try? connection.integer("SELECT count(*) FROM sqlite_master")) == 0 {
      return EmptyFile.error("read", connection.path)
    }
    return StoreError(.corrupt, "'\(connection.path)' is an SQLite database, but without the tables of a store.")
  }

  /// Empties a store under the writer lock. The file stays: other processes may have it open, and whatever they saved
  /// to an unlinked file would be lost. Creates an empty file if the store does not exist, as Apple's framework does:
  /// programs remove it afterwards and fail if it is missing.
  /// - Throws: `.notOpen` for a store in memory that is not open, and if the file's folder is missing or cannot be written:
  ///   programs remove the file after a success, and would remove the null device.
  package static func destroy(at url: URL, timeout: Double = 240) throws {
    let (path, memory) = try file(of: url)
    defer { withExtendedLifetime(memory) {} }
    // Not FileManager, which would cut a store that another process creates at this moment.
    let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if made >= 0 {
      Glibc.close(made)
      return
    }
    guard errno == EEXIST else {
      throw StoreError(.notOpen, "Cannot find a store to destroy at '\(path)': \(String(cString: strerror(errno))).")
    }
    let connection = try Connection(path: path, mode: .readWrite, busyTimeout: timeout)
    let writerLock = try WriterLock.ofStore(path)
    defer { writerLock.close() }
    try writerLock.withLock(timeout: timeout) {
      // Of the files in a folder that another store uses too, only those that rows refer to are this store's.
      let names = ExternalData.isShared(path) ? externalNames(connection) : nil
      try ExternalData.markUnfinished(of: path)
      try connection.empty()
      connection.close()
      ExternalData.destroy(of: path, names: names)
    }
  }

  /// The data files that rows refer to, according to the model in the file.
  private static func externalNames(_ connection: Connection) -> Set<String> {
    guard let model = try? keptModel(connection)?.model,
      let schema = try? StoreOpening.schema(of: model, in: connection)
    else { return [] }
    return (try? connection.fileNames(in: schema.externalColumns)) ?? []
  }

  /// Makes one store a copy of another, including history and UUID, under the destination's writer lock. Neither need
  /// be open. The destination need not exist; if it does, it remains the same file for those who have it open. External
  /// data files are copied too.
  /// - Parameters:
  ///   - identifier: the UUID of the copy; nil keeps the source's.
  ///   - isSourceLocked: whether the caller holds the source's writer lock.
  package static func replace(
    at url: URL, with source: URL, identifier: String? = nil, timeout: Double = 240, isSourceLocked: Bool = false
  ) throws {
    let ((path, memory), (old, oldMemory)) = (try file(of: url), try file(of: source, isReadOnly: true))
    defer { withExtendedLifetime((memory, oldMemory)) {} }
    guard path != old else { return }
    let reader = try Connection(path: old, mode: Connection.Mode(reading: old), busyTimeout: timeout)
    reader.setCheckpointsOnClose(false)
    guard try reader.hasTable("Z_METADATA") else {
      throw StoreError(.corrupt, "Cannot copy the store '\(old)': it is not a store. Name the file of a store.")
    }
    try FileSystem.refuseNetwork(path)
    let writer = try Connection(path: path, mode: .create, busyTimeout: timeout)
    let writerLock = try WriterLock.ofStore(path)
    defer { writerLock.close() }
    try writerLock.withLock(timeout: timeout) {
      defer { writer.close() }
      let isStill = isSourceLocked || access(old, W_OK) != 0
      if try isStill || hasNoDataFiles(old) {
        try copy(reader, to: writer, identifier: identifier)
        if try isStill || hasNoDataFiles(old) { return }
      }
      // Writers delete data files that they replace, so no process may write between the copies of files and rows.
      let sourceLock = try WriterLock.ofStore(old)
      defer { sourceLock.close() }
      try sourceLock.withLock(timeout: timeout) { try copy(reader, to: writer, identifier: identifier) }
    }
  }

  private static func hasNoDataFiles(_ path: String) throws -> Bool {
    do { return try ExternalData.names(of: path).isEmpty } catch {
      throw StoreError(
        .io, "Cannot copy the store '\(path)': the files with its large values cannot be listed. \(error).",
        cause: error)
    }
  }

  /// Runs under the writer lock. External files that no row refers to any more are left for the next process that opens
  /// the store.
  private static func copy(_ reader: Connection, to writer: Connection, identifier: String?) throws {
    try ExternalData.markUnfinished(of: writer.path)
    try ExternalData.copy(from: reader.path, to: writer.path)
    try writer.becomeCopy(of: reader)
    if let identifier { try writer.run("UPDATE Z_METADATA SET Z_UUID = ?1", bindings: [.text(identifier)]) }
  }

  /// Replaces a store's contents with those of the store that `body` makes from it, holding the writer lock throughout:
  /// no process writes in between, and of several processes that do this simultaneously, each sees the previous one's
  /// result. The store keeps its UUID.
  /// - Parameter body: returns the other store. It may read this store but not write it; nil leaves this store as it
  ///   is.
  package static func rebuild(at url: URL, timeout: Double, _ body: () throws -> URL?) throws {
    let (path, memory) = try file(of: url)
    defer { withExtendedLifetime(memory) {} }
    let writerLock = try WriterLock.ofStore(path)
    defer { writerLock.close() }
    try writerLock.withLock(timeout: timeout) {
      guard let made = try body() else { return }
      let old = try metadata(at: url)
      let writer = try Connection(path: path, mode: .readWrite, busyTimeout: timeout)
      let reader = try Connection(path: made.path, mode: .readOnly, busyTimeout: timeout)
      reader.setCheckpointsOnClose(false)
      defer { for connection in [reader, writer] { connection.close() } }
      try copy(reader, to: writer, identifier: old[identifierKey] as? String)
      guard let new = try metadata(writer)?.dictionary else { return }
      let bytes = try StoreMetadata.bytes(of: StoreMetadata.remembering(old, in: new))
      try writer.run(StoreMetadata.update, bindings: [.blob(bytes)])
    }
  }

  /// Runs a migration in several steps, each of which takes the writer lock itself, while no other process runs one on
  /// the same store: they queue on `<store>-stages`.
  package static func migrateInStages<T>(at url: URL, timeout: Double, _ body: () throws -> T) throws -> T {
    let (path, memory) = try file(of: url)
    defer { withExtendedLifetime(memory) {} }
    let writerLock = try WriterLock.ofStore(path, suffix: "-stages")
    defer { writerLock.close() }
    return try writerLock.withLock(timeout: timeout, body)
  }

  /// Replaces the program's own metadata immediately; the store need not be open. Entries that describe its model stay.
  package static func setMetadata(_ metadata: [String: any Sendable], at url: URL, timeout: Double = 240) throws {
    let (path, memory) = try file(of: url)
    defer { withExtendedLifetime(memory) {} }
    let connection = try Connection(path: path, mode: .readWrite, busyTimeout: timeout)
    let writerLock = try WriterLock.ofStore(path)
    defer { writerLock.close() }
    try writerLock.withLock(timeout: timeout) {
      defer { connection.close() }
      try connection.writing {
        guard try connection.hasTable("Z_METADATA"), let known = try Self.metadata(connection)?.dictionary else {
          throw notAStore(connection)
        }
        let own = known.filter { StoreMetadata.ownKeys.contains($0.key) }
        let given = metadata.filter { !StoreMetadata.ownKeys.contains($0.key) && $0.key != identifierKey }
        let bytes = try StoreMetadata.bytes(of: given.merging(own) { _, own in own })
        try connection.run(StoreMetadata.update, bindings: [.blob(bytes)])
        if let identifier = metadata[identifierKey] as? String {
          try connection.run("UPDATE Z_METADATA SET Z_UUID = ?1", bindings: [.text(identifier)])
        }
      }
    }
  }
}
