import CoreData
import Foundation

/// Notices that a newer version of the programs has migrated the Catalog while it is open. It can no longer be read then.
public final class MigrationMonitor {
  private let observer: any NSObjectProtocol

  /// - Parameter onMigration: called once, on a queue of the coordinator.
  public init(_ container: QuakesContainer, onMigration: @escaping @Sendable () -> Void) {
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoreWasMigrated, object: container.persistentStoreCoordinator, queue: nil
    ) { _ in onMigration() }
  }

  deinit { NotificationCenter.default.removeObserver(observer) }
}
