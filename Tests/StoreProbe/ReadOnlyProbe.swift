import CoreData
import Foundation
import Synchronization

/// A process that can read a store but cannot write to its folder: one of another user, or any process if the folder and
/// the store are read-only when it opens the store.
enum ReadOnlyProbe {
  /// Prints the number of events whenever it changes, and ends after `last`, with the number of change notifications so
  /// far.
  static func follow(in folder: URL, until last: Int) throws {
    if geteuid() == 0 {
      let nobody: uid_t = 65_534
      guard setgroups(0, nil) == 0, setgid(nobody) == 0, setuid(nobody) == 0 else {
        throw POSIXError(.EPERM)
      }
    }
    let container = try ProbeContainer.open(in: folder, readOnly: true)
    let notifications = Atomic(0)
    try withExtendedLifetime(
      NotificationCenter.default.addObserver(forName: .NSPersistentStoreRemoteChange, object: nil, queue: nil) { _ in
        notifications.add(1, ordering: .relaxed)
      }
    ) {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
      var known = -1
      while known < last {
        let context = container.newBackgroundContext()
        let count = try context.performAndWait { try context.fetch(request).count }
        if count != known { StoreProbe.printLine("\(count)") }
        known = count
        usleep(2_000)
      }
    }
    StoreProbe.printLine("notifications \(notifications.load(ordering: .relaxed))")
  }
}
