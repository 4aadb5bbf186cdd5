import Foundation
import ManagedModel
import RowStore
import SQLText
import SQLiteEngine

/// What is done to a store's file as a whole.
extension SQLStore {
  /// The metadata of a store that need not be open, and whose model need not be known.
  package static func metadata(at url: URL) throws -> [String: any Sendable] {
    let path = url.standardizedFileURL.path
    let connection = try Connection(path: path, mode: Connection.Mode(reading: path), patience: 5)
    connection.setCheckpointsOnClose(false)
    guard try connection.hasTable("Z_METADATA"), let found = try metadata(connection) else { throw notAStore(path) }
    return found.dictionary.merging([identifierKey: found.identifier]) { _, own in own }
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

  /// Empties a store under the writers' turn. The file stays where it is: other processes may have it open, and a file
  /// that is removed under them would lose what they save. A missing store is no error.
  package static func destroy(at url: URL, timeout: Double = 240) throws {
    let path = url.standardizedFileURL.path
    guard FileManager.default.fileExists(atPath: path) else { return }
    let connection = try Connection(path: path, mode: .readWrite, patience: timeout)
    let turn = try WriterTurn.forStore(path)
    defer { turn.close() }
    try turn.forStore(path, deadline: timeout) {
      try connection.empty()
      connection.close()
      ExternalData.destroy(of: path)
    }
  }

  /// Makes one store a copy of another, its history and its UUID included, under the writers' turn of the one that is
  /// written. Neither need be open; the destination need not be there, and stays the same file for those who have it
  /// open. Data in files of their own are copied along.
  /// - Parameter identifier: the copy's UUID; nil is that of the source.
  package static func replace(at url: URL, with source: URL, identifier: String? = nil, timeout: Double = 240) throws {
    let (path, old) = (url.standardizedFileURL.path, source.standardizedFileURL.path)
    guard path != old else { return }
    let reader = try Connection(path: old, mode: Connection.Mode(reading: old), patience: timeout)
    reader.setCheckpointsOnClose(false)
    guard try reader.hasTable("Z_METADATA") else {
      throw StoreError(.corrupt, "Cannot copy the store '\(old)': it is no store. Name the file of a store.")
    }
    try FileSystem.refuseNetwork(path)
    let writer = try Connection(path: path, mode: .create, patience: timeout)
    let turn = try WriterTurn.forStore(path)
    defer { turn.close() }
    try turn.forStore(path, deadline: timeout) {
      defer { writer.close() }
      try ExternalData.copy(from: old, to: path)
      try writer.becomeCopy(of: reader)
      if let identifier { try writer.run("UPDATE Z_METADATA SET Z_UUID = ?1", [.text(identifier)]) }
    }
  }

  /// Replaces the program's own metadata of a store that need not be open, at once. What says which model the rows are
  /// in stays as it is.
  package static func setMetadata(_ metadata: [String: any Sendable], at url: URL, timeout: Double = 240) throws {
    let path = url.standardizedFileURL.path
    let connection = try Connection(path: path, mode: .readWrite, patience: timeout)
    let turn = try WriterTurn.forStore(path)
    defer { turn.close() }
    try turn.forStore(path, deadline: timeout) {
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
