import Foundation
import StrataManagedModel
import StrataRowStore

/// How a store is opened.
package struct PostgreSQLStoreOptions: Sendable {
  package var isReadOnly = false
  /// Whether commits are recorded in the history. A store that has a history opens read-only without this: others learn
  /// of commits from nothing else.
  package var keepsHistory = true
  /// How many seconds a writer waits for rows that another writer has locked. Apple's default is 240.
  package var timeout = 240.0
  /// How many seconds whoever reads or saves waits for a server that cannot be reached, as while it is restarted: a fault
  /// that cannot be fulfilled ends the program.
  package var reconnectTimeout = 30.0
  /// How many idle reading connections stay open.
  package var maximumIdleReaders = 4
  /// How many reading connections are open at once.
  package var maximumConnections = 16
  /// Whether to open a store whose version hashes differ from the model's.
  package var ignoresVersions = false
  /// The bundle identifier recorded in the history.
  package var bundleID: String?
  /// The process identifier recorded in the history.
  package var processID: String? = ProcessInfo.processInfo.processName
  /// How many seconds a named reader of the history delays purges while nobody runs it.
  package var readerRetention = 7 * 24 * 3600.0

  /// How to migrate a store of an older model; nil refuses such a store. Nothing of a migration is deferred.
  package var migration: InferredMigration?

  package init() {}
}
