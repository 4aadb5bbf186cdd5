import Foundation
import StrataCoreDataErrors
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

/// Option: whether a migration leaves for later what the rows can do without: dropping columns that nothing reads any
/// more, and making indexes. NSNumber. Under this key the metadata of a store say that something is left.
/// See https://developer.apple.com/documentation/coredata/nspersistentstoredeferredlightweightmigrationoptionkey
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"

/// What deferred migrations have left.
extension NSPersistentStoreCoordinator {
  /// Does all that is left in the SQLite stores that are open for writing. Does nothing for a store with nothing left.
  /// - Throws: `CocoaError` 134090 if others keep the writer lock, 256…640 for what stands in the way on the disk; what
  ///   is left then is done by the next call, of whichever process.
  public func finishDeferredLightweightMigration() throws { try finishMigration(all: true) }

  /// Does one thing of what is left in each store: for a program that has little time at once.
  /// - Throws: what `finishDeferredLightweightMigration()` throws.
  public func finishDeferredLightweightMigrationTask() throws { try finishMigration(all: false) }

  private func finishMigration(all: Bool) throws {
    for store in persistentStores where !store.isReadOnly {
      try storeErrors { try (store.backEnd as? SQLStore)?.finishMigration(all: all) }
    }
  }
}
