import Foundation
import StrataFileFormats
import StrataManagedModel
import StrataModelFiles
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataWriterLock

/// What is done to a store's file as a whole.
extension SQLStore {
  /// Whether a URL stands for a store in memory: `/dev/null`, or `/dev/null/<name>` for one that several may open.
  package static func isInMemory(_ url: URL) -> Bool { MemoryPlace.isMeant(by: url) }

  /// The file of a store that need not be open, unless it is in memory.
  private static func file(of url: URL) throws -> (path: String, place: MemoryPlace?) {
    guard isInMemory(url) else { return (url.standardizedFileURL.path, nil) }
    guard let place = MemoryPlace.open(url) else {
      throw StoreError(
        .notOpen,
        "There is no store at '\(url.path)': one in memory lasts only as long as it is open, and is found by others "
          + "only under a name, '/dev/null/<name>'.")
    }
    return (place.path, place)
  }

  /// The metadata of a store that need not be open, and whose model need not be known.
  package static func metadata(at url: URL) throws -> [String: any Sendable] {
    let (path, place) = try file(of: url)
    defer { withExtendedLifetime(place) {} }
    let connection = try Connection(path: path, mode: Connection.Mode(reading: path), busyTimeout: 5)
    connection.setCheckpointsOnClose(false)
    guard try connection.hasTable("Z_METADATA"), let found = try metadata(connection) else { throw notAStore(path) }
    return found.dictionary.merging([identifierKey: found.identifier]) { _, own in own }
  }

  /// The copy that a store keeps of its model; nil of a store without one that can be read.
  package static func keptModel(at url: URL) throws -> NSManagedObjectModel? {
    let (path, place) = try file(of: url)
    defer { withExtendedLifetime(place) {} }
    let connection = try Connection(path: path, mode: Connection.Mode(reading: path), busyTimeout: 5)
    connection.setCheckpointsOnClose(false)
    return try? keptModel(connection)?.model
  }

  /// The copy that a store keeps of its model, and what in it could not be used; nil of a store without.
  static func keptModel(_ connection: Connection) throws -> (model: NSManagedObjectModel, warnings: [ModelWarning])? {
    guard try connection.hasTable("Z_MODELCACHE"),
      case .blob(let bytes)? = try connection.value(StoreMetadata.readModel)
    else { return nil }
    return try NSManagedObjectModel.model(cache: bytes, file: connection.path)
  }

  static func notAStore(_ path: String) -> StoreError {
    StoreError(.corrupt, "'\(path)' is an SQLite database, but without the tables of a store.")
  }

  /// Empties a store under the writer lock. The file stays where it is: other processes may have it open, and a file
  /// that is removed under them would lose what they save. Where there is no file, an empty one is left as well, as
  /// Apple's framework does: programs remove it afterwards, and fail if it is missing.
  package static func destroy(at url: URL, timeout: Double = 240) throws {
    if isInMemory(url), MemoryPlace.open(url) == nil { return }
    let (path, place) = try file(of: url)
    defer { withExtendedLifetime(place) {} }
    guard FileManager.default.fileExists(atPath: path) else {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      return
    }
    let connection = try Connection(path: path, mode: .readWrite, busyTimeout: timeout)
    let writerLock = try WriterLock.ofStore(path)
    defer { writerLock.close() }
    try writerLock.locking(path, deadline: timeout) {
      try connection.empty()
      connection.close()
      ExternalData.destroy(of: path)
    }
  }

  /// Makes one store a copy of another, its history and its UUID included, under the writer lock of the one that is
  /// written. Neither need be open; the destination need not be there, and stays the same file for those who have it
  /// open. Data in files of their own are copied along.
  /// - Parameter identifier: the copy's UUID; nil is that of the source.
  package static func replace(at url: URL, with source: URL, identifier: String? = nil, timeout: Double = 240) throws {
    let ((path, place), (old, oldPlace)) = (try file(of: url), try file(of: source))
    defer { withExtendedLifetime((place, oldPlace)) {} }
    guard path != old else { return }
    let reader = try Connection(path: old, mode: Connection.Mode(reading: old), busyTimeout: timeout)
    reader.setCheckpointsOnClose(false)
    guard try reader.hasTable("Z_METADATA") else {
      throw StoreError(.corrupt, "Cannot copy the store '\(old)': it is no store. Name the file of a store.")
    }
    try FileSystem.refuseNetwork(path)
    let writer = try Connection(path: path, mode: .create, busyTimeout: timeout)
    let writerLock = try WriterLock.ofStore(path)
    defer { writerLock.close() }
    try writerLock.locking(path, deadline: timeout) {
      defer { writer.close() }
      try copy(reader, to: writer, identifier: identifier)
    }
  }

  /// Runs under a store's writer lock; files that no row refers to any more are left to the next who opens the store.
  private static func copy(_ reader: Connection, to writer: Connection, identifier: String?) throws {
    try ExternalData.markUnfinished(of: writer.path)
    try ExternalData.copy(from: reader.path, to: writer.path)
    try writer.becomeCopy(of: reader)
    if let identifier { try writer.run("UPDATE Z_METADATA SET Z_UUID = ?1", [.text(identifier)]) }
  }

  /// For who makes the rows anew elsewhere by what is read of them: data of a file that is missing or cannot be read
  /// are nil there, and the row that refers to the file would be gone.
  /// - Throws: `.corrupt` for the first such file.
  package func checkFilesOfData() throws {
    let columns = schema.externalColumns
    guard !columns.isEmpty else { return }
    for name in try readers.read({ try $0.connection.fileNames(in: columns) }).sorted() {
      let state = ExternalData.state(of: name, of: path)
      guard state == .missing || state == .unreadable else { continue }
      throw StoreError(
        .corrupt,
        "The rows of the store '\(path)' cannot be made anew: the file \(name) with data of one of them "
          + "\(state == .missing ? "is missing" : "cannot be read"). Restore the file, or set the value to nil.")
    }
  }

  /// Makes a store a copy of what `body` makes of it, under its writer lock from the first reading to the last page:
  /// nobody writes in between, and of several processes that do this at once each sees what the one before it made. The
  /// store keeps its UUID.
  /// - Parameter body: answers another store, which may read this one but not write it; nil leaves this one as it is.
  package static func rebuild(at url: URL, timeout: Double, _ body: () throws -> URL?) throws {
    let (path, place) = try file(of: url)
    defer { withExtendedLifetime(place) {} }
    let writerLock = try WriterLock.ofStore(path)
    defer { writerLock.close() }
    try writerLock.locking(path, deadline: timeout) {
      guard let made = try body() else { return }
      let identifier = try metadata(at: url)[identifierKey] as? String
      let writer = try Connection(path: path, mode: .readWrite, busyTimeout: timeout)
      let reader = try Connection(path: made.path, mode: .readOnly, busyTimeout: timeout)
      reader.setCheckpointsOnClose(false)
      defer { for connection in [reader, writer] { connection.close() } }
      try copy(reader, to: writer, identifier: identifier)
    }
  }

  /// Runs a migration of several steps, each with turns to write of its own, while no other process runs one of the same
  /// store: they queue at `<store>-stages`.
  package static func migrateInStages<T>(at url: URL, timeout: Double, _ body: () throws -> T) throws -> T {
    let (path, place) = try file(of: url)
    defer { withExtendedLifetime(place) {} }
    let writerLock = try WriterLock.ofStore(path, suffix: "-stages")
    defer { writerLock.close() }
    return try writerLock.locking(path, deadline: timeout, body)
  }

  /// Replaces the program's own metadata of a store that need not be open, at once. What says which model the rows are
  /// in stays as it is.
  package static func setMetadata(_ metadata: [String: any Sendable], at url: URL, timeout: Double = 240) throws {
    let (path, place) = try file(of: url)
    defer { withExtendedLifetime(place) {} }
    let connection = try Connection(path: path, mode: .readWrite, busyTimeout: timeout)
    let writerLock = try WriterLock.ofStore(path)
    defer { writerLock.close() }
    try writerLock.locking(path, deadline: timeout) {
      defer { connection.close() }
      try connection.writing {
        guard try connection.hasTable("Z_METADATA"), let known = try Self.metadata(connection)?.dictionary else {
          throw notAStore(path)
        }
        let own = known.filter { StoreMetadata.ownKeys.contains($0.key) }
        let given = metadata.filter { !StoreMetadata.ownKeys.contains($0.key) && $0.key != identifierKey }
        let bytes = try StoreMetadata.bytes(of: given.merging(own) { _, own in own })
        try connection.run(StoreMetadata.update, [.blob(bytes)])
        if let identifier = metadata[identifierKey] as? String {
          try connection.run("UPDATE Z_METADATA SET Z_UUID = ?1", [.text(identifier)])
        }
      }
    }
  }
}
