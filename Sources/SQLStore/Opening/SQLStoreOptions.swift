import Foundation
import StrataManagedModel

/// How a store is opened.
package struct SQLStoreOptions: Sendable {
  package var isReadOnly = false
  /// Whether commits are written to the history. A store that has one is open for reading only without: the other
  /// processes that use it learn of commits from nothing else.
  package var keepsHistory = true
  /// Pragmas by name, from `NSSQLitePragmasOption`, set on every connection after the store's own.
  package var pragmas: [String: String] = [:]
  /// Whether statistics for SQLite's planner are gathered first.
  package var analyzes = false
  /// Whether the file is written anew, without gaps, first.
  package var vacuums = false
  /// Seconds that a writer waits for the writer lock, and a statement for a foreign writer's lock. 240 is Apple's time-out.
  package var timeout = 240.0
  /// How many connections that read stay open for the next question.
  package var mostReadersAtRest = 4
  /// Whether a store with other version hashes than the model's is opened, if it has all tables and columns of the model.
  package var ignoresVersions = false
  /// Which program this is, for the history.
  package var bundleID: String?
  /// Which process this is, for the history; its name, as Apple's framework writes it, unless it is told.
  package var processID: String? = ProcessInfo.processInfo.processName

  /// Brings a store of an older model to the new one; nil refuses such a store.
  package var migration: Migration?

  /// How a store of an older model is brought to the new one.
  package struct Migration: Sendable {
    /// The model of a store that has no copy of it, by the store's metadata.
    package var findModel: @Sendable ([String: any Sendable]) -> NSManagedObjectModel?
    /// Whether the program has a better way for a store than what can be inferred, by the model that the store was
    /// written with. The store is left as it is then, and opening it fails as if it could not be migrated.
    package var isLeft: @Sendable (NSManagedObjectModel) -> Bool
    /// Whether what rows can do without is left for `finishMigration`.
    package var defers = false

    package init(
      isLeft: @escaping @Sendable (NSManagedObjectModel) -> Bool = { _ in false },
      findModel: @escaping @Sendable ([String: any Sendable]) -> NSManagedObjectModel? = { _ in nil }
    ) {
      self.findModel = findModel
      self.isLeft = isLeft
    }
  }

  package init() {}
}
