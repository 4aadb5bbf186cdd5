import Foundation
import StrataFormats
import StrataManagedModel
import StrataModelSource
import StrataRowStore
import StrataSQLiteEngine

/// Looks into a store that other processes may have open, leaving no files behind if none has.
///
/// Not for a process that has the store open itself: closing a file drops all POSIX locks that the process holds on it.
/// See https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
package enum StoreInspector {
  /// The copy of the model in the file, with warnings about the parts that could not be used; nil without a copy.
  package static func keptModel(at url: URL) throws -> (model: NSManagedObjectModel, warnings: [ModelWarning])? {
    try at(url.storePath(isReadOnly: true)) { try SQLStore.keptModel($0) }
  }

  /// The version hashes of the model that the store was written with, by entity name.
  package static func versionHashes(at url: URL) throws -> [String: Data] {
    try at(url.storePath(isReadOnly: true)) { connection in
      guard try connection.hasTable("Z_METADATA"), let (_, metadata) = try SQLStore.metadata(connection) else {
        throw SQLStore.notAStore(connection)
      }
      return metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    }
  }

  /// Runs `body` on a reading connection, possibly twice: without locks if there is no log, since locks need files of
  /// their own, and again with locks if the file changed during the first run.
  static func at<T>(_ path: String, body: (Connection) throws -> T) throws -> T {
    let view = GuestView(at: path)
    if view.mode == .immutable, access(path + "-journal", F_OK) != 0 {
      let result = Result { try run(at: path, mode: .immutable, body: body) }
      if view.isCurrent { return try result.get() }
    }
    return try run(at: path, mode: Connection.Mode(reading: path), body: body)
  }

  private static func run<T>(
    at path: String, mode: Connection.Mode, body: (Connection) throws -> T
  ) throws -> T {
    let connection = try Connection(path: path, mode: mode, busyTimeout: 5)
    connection.setCheckpointsOnClose(false)
    defer { connection.close() }
    return try body(connection)
  }
}
