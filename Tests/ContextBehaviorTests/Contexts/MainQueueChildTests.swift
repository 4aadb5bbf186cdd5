import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Children of a main-queue context that need their parent while the main thread waits for them.
@MainActor @Suite(.serialized) struct MainQueueChildTests {
  /// Kills the process if the main thread waits forever, because nothing else could end it.
  private final class Watchdog {
    private let timer = DispatchSource.makeTimerSource(queue: .global())

    init(_ name: String = #function) {
      timer.schedule(deadline: .now() + 600)
      timer.setEventHandler { fatalError("\(name): the main thread has waited for ten minutes.") }
      timer.resume()
    }

    deinit { timer.cancel() }
  }

  private func withWatchdog<T>(_ name: String = #function, _ body: () throws -> T) rethrows -> T {
    let watchdog = Watchdog(name)
    return try withExtendedLifetime(watchdog) { try body() }
  }

  private nonisolated static let mainQueueKey = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private nonisolated static var isOnMain: Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

  private func child(
    of parent: NSManagedObjectContext, merges: Bool = true
  ) -> NSManagedObjectContext {
    let child = parent.child(.privateQueueConcurrencyType)
    child.automaticallyMergesChangesFromParent = merges
    return child
  }

  /// Lets queued work proceed until it needs the main thread.
  private func letQueuedWorkRun() { Thread.sleep(forTimeInterval: 0.05) }

  @Test(arguments: Store.allCases)
  func `fetches of a main-queue child continue while others save`(_ store: Store) async throws {
    let (container, _) = try store.quakes()
    let main = container.viewContext
    main.automaticallyMergesChangesFromParent = true
    let child = child(of: main)
    let writer = container.newBackgroundContext()
    let saving = Task.detached {
      for round in 0..<50 {
        try await writer.perform {
          for quake in try writer.fetch("Quake", "code IN {'a', 'b'}") { quake.setValue("\(round)", forKey: "place") }
          _ = writer.insert("Quake", ["code": "new \(round)"])
          try writer.save()
        }
      }
    }
    nonisolated(unsafe) var held: [NSManagedObject] = []
    var places: Set<String> = []
    for _ in 0..<100 {
      try withWatchdog {
        try child.performAndWait {
          held = try child.fetch("Quake")
          for quake in held { places.insert(quake.value(forKey: "place") as? String ?? "") }
        }
      }
      await Task.yield()
    }
    try await saving.value
    try await eventually {
      try withWatchdog { try child.performAndWait { try child.fetch("Quake", "place == '49'").count == 2 } }
    }
    #expect(places.contains("old"))
    withExtendedLifetime(held) {}
  }

  @Test(arguments: Store.allCases)
  func `merges into a main-queue child keep unsaved changes`(_ store: Store) throws {
    let watchdog = Watchdog()
    let (container, quakes) = try store.quakes()
    let (main, child) = (container.viewContext, child(of: container.viewContext))
    nonisolated(unsafe) var mine: NSManagedObject?
    nonisolated(unsafe) var clean: NSManagedObject?
    let (first, second) = (quakes[0].objectID, quakes[1].objectID)
    try child.performAndWait {
      mine = try child.existingObject(with: first)
      mine?.setValue("mine", forKey: "place")
      clean = try child.existingObject(with: second)
    }
    for quake in quakes { quake.setValue(7, forKey: "felt") }
    try main.save()
    letQueuedWorkRun()
    try child.performAndWait {
      #expect(clean?.isFault == true && mine?.isFault == false && mine?.hasChanges == true)
      #expect(mine?.value(forKey: "felt") as? Int == 7 && mine?.value(forKey: "place") as? String == "mine")
      #expect(clean?.value(forKey: "felt") as? Int == 7)
      #expect(mine?.changedValues().keys.sorted() == ["place"])
      try child.save()
    }
    #expect(quakes[0].value(forKey: "place") as? String == "mine" && quakes[0].value(forKey: "felt") as? Int == 7)
    withExtendedLifetime(watchdog) {}
  }

  @Test func `fetched results of a main-queue child follow saves of its parent`() throws {
    let watchdog = Watchdog()
    let (container, quakes) = try Store.sqlite.quakes()
    let (main, child) = (container.viewContext, child(of: container.viewContext))
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(key: "place", ascending: true)]
    request.predicate = NSPredicate(format: "felt == 7")
    let delegate = ChangeCounter()
    nonisolated(unsafe) let results = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: child, sectionNameKeyPath: nil, cacheName: nil)
    try child.performAndWait {
      results.delegate = delegate
      try results.performFetch()
      #expect(results.fetchedObjects?.isEmpty == true)
    }
    for quake in quakes { quake.setValue(7, forKey: "felt") }
    try main.save()
    letQueuedWorkRun()
    child.performAndWait { #expect(results.fetchedObjects?.count == 4 && delegate.count == 1) }
    withExtendedLifetime(watchdog) {}
  }

  @Test(arguments: Store.allCases, [1, 2])
  func `a block of a child can use the main queue while the main thread waits`(_ store: Store, levels: Int) throws {
    let watchdog = Watchdog()
    let (container, quakes) = try store.quakes()
    let main = container.viewContext
    let middle = child(of: main)
    let child = levels == 1 ? middle : child(of: middle)
    let id = quakes[0].objectID
    nonisolated(unsafe) var found = 0
    nonisolated(unsafe) var postedOnMain: [Bool] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: main, queue: nil
    ) { _ in postedOnMain.append(Self.isOnMain) }
    defer { NotificationCenter.default.removeObserver(observer) }
    let started = DispatchSemaphore(value: 0)
    child.perform {
      started.signal()
      Thread.sleep(forTimeInterval: 0.05)
      do {
        found = try child.fetch("Quake").count
        try child.existingObject(with: id).setValue("below", forKey: "place")
        try child.save()
        if levels == 2 { try middle.performAndWait { try middle.save() } }
      } catch { Issue.record(error) }
    }
    started.wait()
    let count = try child.performAndWait { try child.fetch("Quake", "place == 'below'").count }
    #expect(count == 1 && found == 4 && quakes[0].value(forKey: "place") as? String == "below")
    // Work for the main queue runs on it, even while the main thread waits.
    #expect(!postedOnMain.isEmpty && !postedOnMain.contains(false))
    withExtendedLifetime(watchdog) {}
  }

  @Test func `blocks run in the order in which they were enqueued`() throws {
    let watchdog = Watchdog()
    let child = child(of: try Store.memory.container().viewContext)
    nonisolated(unsafe) var order: [Int] = []
    child.perform {
      Thread.sleep(forTimeInterval: 0.02)
      order.append(1)
    }
    child.perform { order.append(2) }
    child.performAndWait {
      order.append(3)
      child.performAndWait { order.append(4) }
    }
    #expect(order == [1, 2, 3, 4])
    child.perform { Thread.sleep(forTimeInterval: 0.02) }
    #expect(throws: CancellationError.self) { try child.performAndWait { throw CancellationError() } }
    withExtendedLifetime(watchdog) {}
  }

  @Test func `blocks of other contexts wait until the main thread is free`() async throws {
    let main = try Store.memory.container().viewContext
    let (first, second) = (child(of: main), child(of: main))
    nonisolated(unsafe) var hasRun = false
    withWatchdog {
      first.perform { Thread.sleep(forTimeInterval: 0.1) }
      second.perform { main.performAndWait { hasRun = true } }
      first.performAndWait { #expect(!hasRun) }
    }
    #expect(!hasRun)
    try await eventually { hasRun }
    await #expect(throws: CancellationError.self) {
      try await Task.detached { try main.performAndWait { throw CancellationError() } }.value
    }
    let isMain = await Task.detached { main.performAndWait { Self.isOnMain } }.value
    #expect(isMain)
  }
}

private final class ChangeCounter: NSObject, NSFetchedResultsControllerDelegate {
  var count = 0
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { count += 1 }
}
