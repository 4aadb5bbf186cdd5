import Foundation
import StrataManagedModel
import StrataRowStore

/// The options for opening a store.
package struct PostgreSQLStoreOptions: Sendable {
  package var isReadOnly = false
  /// Whether commits are recorded in the history. A store that has a history opens read-only without this: others learn
  /// of commits from nothing else.
  package var keepsHistory = true
  /// The number of seconds that a writer waits for rows that another writer has locked. Apple's default is 240.
  package var timeout = 240.0
  /// The number of seconds that a read or save waits for an unreachable server, such as one that restarts: a fault that
  /// cannot be fulfilled ends the program.
  package var reconnectTimeout = 30.0
  /// The maximum number of idle reading connections.
  package var maximumIdleReaders = 4
  /// The maximum number of open reading connections.
  package var maximumConnections = 16
  /// Whether to open a store whose version hashes differ from the model's.
  package var ignoresVersions = false
  /// The bundle identifier recorded in the history.
  package var bundleID: String?
  /// The process identifier recorded in the history.
  package var processID: String? = ProcessInfo.processInfo.processName
  /// The number of seconds that a named reader of the history delays purges while no process runs it.
  package var readerRetention = 7 * 24 * 3600.0

  /// The migration of a store of an older model; nil rejects such a store. Nothing of a migration is deferred.
  package var migration: InferredMigration?

  package init() {}
}
