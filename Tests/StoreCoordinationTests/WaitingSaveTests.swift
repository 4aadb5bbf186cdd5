import CoreData
import Foundation
import StrataSQLiteEngine
import StrataSharing
import StrataTestSupport
import Testing

/// Saves that wait for others.
@Suite struct WaitingSaveTests {
  private let folder: TemporaryFolder
  private let coordinator: NSPersistentStoreCoordinator
  private var url: URL { folder.url("Waiting.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel(makeEntity("Note", [attribute("text")])))
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url("Waiting.sqlite"), options: nil)
  }

  /// Saves after several queries in one block: from the second query on, the block keeps a snapshot.
  private func querySave() throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for _ in 0..<3 { _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) }
      NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue("a", forKey: "text")
      try context.save()
    }
  }

  /// A checkpoint cannot empty the log while a connection reads an older snapshot.
  @Test func `saves that wait keep no snapshot of the store`() throws {
    try querySave()
    let ended = DispatchGroup()
    let saves = 3
    let willSave = DispatchSemaphore(value: 0)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
    ) { [coordinator] notice in
      if (notice.object as? NSManagedObjectContext)?.persistentStoreCoordinator === coordinator { willSave.signal() }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let shell = try Connection(path: url.path, mode: .readWrite, busyTimeout: 0.05)
    let isEmptied = try WriterLock(storePath: url.path).withLock(timeout: 60) {
      for _ in 0..<saves {
        ended.enter()
        Thread.detachNewThread { [self] in
          #expect(throws: Never.self) { try querySave() }
          ended.leave()
        }
      }
      for _ in 0..<saves { willSave.wait() }
      let end = Date(timeIntervalSinceNow: 60)
      repeat {
        try shell.run("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 1")
        if try shell.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(0) { return true }
        usleep(1_000)
      } while Date() < end
      return false
    }
    #expect(isEmptied)
    ended.wait()
  }
}
