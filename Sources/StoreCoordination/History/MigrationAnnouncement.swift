import Foundation
import StrataObjectGraph
import StrataRowStore

extension NSPersistentStore {
  /// Has the coordinator post `.NSPersistentStoreCoordinatorStoreWasMigrated` once, when another opener has migrated the
  /// store.
  func announceMigrations(to reference: LivingReference<NSPersistentStoreCoordinator>) {
    let (identifier, url) = (backEnd.identifier, url)
    backEnd.migrationNotice?.observe { reference.object?.announceMigration(of: identifier, at: url) }
  }
}

extension NSPersistentStoreCoordinator {
  /// Posts on the announcements queue: the one who noticed is in the middle of a read or a save.
  /// - Parameter identifier: the store's UUID.
  fileprivate func announceMigration(of identifier: String, at url: URL?) {
    var userInfo: [String: any Sendable] = [NSStoreUUIDKey: identifier]
    userInfo[NSPersistentStoreURLKey] = url
    announcements.async { [userInfo] in
      NotificationCenter.default.post(
        name: .NSPersistentStoreCoordinatorStoreWasMigrated, object: self, userInfo: userInfo)
    }
  }
}
