import Foundation
import StrataCoreDataErrors
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

/// Store option: whether a migration defers what the rows can do without, dropping unused columns and creating indexes,
/// as an `NSNumber`. The metadata of a store have this key while work is left.
/// See <https://developer.apple.com/documentation/coredata/nspersistentstoredeferredlightweightmigrationoptionkey>
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"

/// What deferred migrations have left.
extension NSPersistentStoreCoordinator {
  /// Completes the deferred migration of all SQLite stores that are open for writing.
  /// - Throws: `CocoaError` 134090 if others keep the writer lock, 256…640 for file system errors. The next call, in
  ///   any process, does what is left.
  public func finishDeferredLightweightMigration() throws { try finishMigration(all: true) }

  /// Carries out one task of the deferred migration of each store, for a program that has little time at once.
  /// - Throws: the errors of `finishDeferredLightweightMigration()`.
  public func finishDeferredLightweightMigrationTask() throws { try finishMigration(all: false) }

  private func finishMigration(all: Bool) throws {
    for store in persistentStores where !store.isReadOnly {
      try storeErrors { try (store.backEnd as? SQLStore)?.finishMigration(all: all) }
    }
  }
}
