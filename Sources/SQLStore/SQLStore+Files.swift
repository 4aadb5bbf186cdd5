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
    guard try connection.hasTable("Z_METADATA"), let found = try metadata(connection) else {
      throw StoreError(.corrupt, "'\(path)' is an SQLite database, but without the tables of a store.")
    }
    return found.dictionary.merging([identifierKey: found.identifier]) { _, own in own }
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
    }
  }
}
