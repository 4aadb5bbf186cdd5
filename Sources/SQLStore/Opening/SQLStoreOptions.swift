import Foundation
import StrataManagedModel
import StrataRowStore

/// The options for opening a store.
package struct SQLStoreOptions: Sendable {
  package var isReadOnly = false
  /// Whether commits are recorded in the history. A store that has a history opens read-only without this: other
  /// processes learn of commits from nothing else.
  package var keepsHistory = true
  /// Pragmas from `NSSQLitePragmasOption`, set on every connection after the store's own.
  package var pragmas: [String: String] = [:]
  /// Whether to run ANALYZE first.
  package var analyzes = false
  /// Whether to run VACUUM first.
  package var vacuums = false
  /// The number of seconds that a writer waits for the writer lock, and a statement for a foreign writer's. Apple's
  /// default is 240.
  package var timeout = 240.0
  /// The maximum number of idle reading connections.
  package var maximumIdleReaders = 4
  /// Whether to open a store whose version hashes differ from the model's, provided it has all the model's tables and
  /// columns.
  package var ignoresVersions = false
  /// The bundle identifier recorded in the history.
  package var bundleID: String?
  /// The process identifier recorded in the history; by default the process name, which is what Apple's framework
  /// writes.
  package var processID: String?

  /// The migration of a store of an older model; nil rejects such a store.
  package var migration: Migration?

  package typealias Migration = InferredMigration

  package init(processID: String? = ProcessInfo.processInfo.processName) { self.processID = processID }
}
