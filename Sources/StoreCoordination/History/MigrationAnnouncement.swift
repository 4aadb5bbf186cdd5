import Foundation
import StrataObjectGraph
import StrataRowStore

extension NSPersistentStore {
  /// Has a coordinator post `.NSPersistentStoreCoordinatorStoreWasMigrated` once, when another opener has migrated the
  /// store. The notification is posted on the announcements queue, because the store detects the migration during a read
  /// or a save.
  func announceMigrations(to coordinator: NSPersistentStoreCoordinator) {
    let reference = coordinator.reference
    var userInfo: [String: any Sendable] = [NSStoreUUIDKey: backEnd.identifier]
    userInfo[NSPersistentStoreURLKey] = url
    backEnd.migrationNotice?.observe(on: coordinator.announcements) { [userInfo] in
      guard let coordinator = reference.object else { return }
      NotificationCenter.default.post(
        name: .NSPersistentStoreCoordinatorStoreWasMigrated, object: coordinator, userInfo: userInfo)
    }
  }
}
