import CoreDataPostgreSQL
import Foundation
import StrataTestSupport
import Synchronization

/// A program with a store of notes, which merges what others save.
final class Notes {
  let container: NSPersistentContainer
  private let context: NSManagedObjectContext
  private let merged = Merged()
  private let observer: any NSObjectProtocol

  init(_ url: URL, keepsHistory: Bool = true) throws {
    container = NSPersistentContainer(
      name: "Notes", managedObjectModel: makeModel(makeEntity("Note", [attribute("text")])))
    let description = NSPersistentStoreDescription(url: url)
    description.type = NSPostgreSQLStoreType
    description.setOption(keepsHistory as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    context = container.newBackgroundContext()
    let merged = merged
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { merged.add($0) }
    context.automaticallyMergesChangesFromParent = true
  }

  // Another context may be allocated at the same address, and the observer would receive its changes.
  deinit { NotificationCenter.default.removeObserver(observer) }

  private final class Merged: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ notification: Notification) {
      let objects = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
      let new = objects.compactMap { $0.value(forKey: "text") as? String }
      texts.withLock { $0 += new }
    }

    func has(_ text: String) -> Bool { texts.withLock { $0.contains(text) } }
  }

  @discardableResult
  func save(_ text: String) throws -> NSManagedObjectID {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(text, forKey: "text")
      try context.save()
      return note.objectID
    }
  }

  func forget() { context.performAndWait { context.reset() } }

  /// The text of a note, read through a fault.
  func text(of id: NSManagedObjectID) -> String? {
    context.performAndWait { context.object(with: id).value(forKey: "text") as? String }
  }

  func texts() throws -> [String] {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        .compactMap { $0.value(forKey: "text") as? String }.sorted()
    }
  }

  /// Whether the context has merged, or merges within ten minutes, a note that another process saved.
  func merges(_ text: String) -> Bool {
    for _ in 0..<120_000 {
      if merged.has(text) { return true }
      usleep(5_000)
    }
    return false
  }

  func historyCount() throws -> Int {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return (result?.result as? [NSPersistentHistoryTransaction])?.count ?? -1
    }
  }
}
