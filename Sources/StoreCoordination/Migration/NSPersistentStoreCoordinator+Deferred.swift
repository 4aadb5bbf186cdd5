import Foundation
import StrataObjectGraph
import StrataRowStore

/// Finishing deferred migrations.
extension NSPersistentStoreCoordinator {
  /// Completes the deferred migration of all stores that are open for writing.
  /// - Throws: `CocoaError` 134090 if others keep the writer lock, 256…640 for file system errors. The next call, in
  ///   any process, does what is left.
  public func finishDeferredLightweightMigration() throws { try finishMigration(all: true) }

  /// Carries out one task of the deferred migration of each store, for a program that can only spend little time.
  /// - Throws: the errors of `finishDeferredLightweightMigration()`.
  public func finishDeferredLightweightMigrationTask() throws { try finishMigration(all: false) }

  private func finishMigration(all: Bool) throws {
    for store in persistentStores where !store.isReadOnly {
      try storeErrors { try store.backEnd.finishMigration(all: all) }
    }
  }
}
