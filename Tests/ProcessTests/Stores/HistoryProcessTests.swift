import CoreData
import Foundation
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// History followers and purges across real processes.
@Suite(.waitsForProcesses, .serialized) struct HistoryProcessTests {
  private func probe(_ home: Home, _ arguments: String...) throws -> Program {
    try Program("strata-store-probe", [arguments[0], home.url.path] + arguments.dropFirst(), home: home.url)
  }

  private func write(_ home: Home, _ count: Int) throws {
    let writer = try probe(home, "write", "\(count)")
    #expect(writer.status() == 0, "\(writer.errorText)")
  }

  private func purge(_ home: Home) throws -> Int? {
    let purge = try probe(home, "purge", "0")
    #expect(purge.status() == 0, "\(purge.errorText)")
    return purge.lines.first.flatMap { Int($0) }
  }

  private func numbers(_ tracer: Program) -> [Int] {
    tracer.lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
  }

  @Test func `a killed named follower continues where it stopped`() throws {
    let home = try Home()
    let count = 400
    let writer = try probe(home, "write", "\(count)", "2")
    var seen: [Int] = []
    var kills = 0
    var busyTimeout = 0.05
    while seen.last ?? 0 < count, kills < 200 {
      let tracer = try probe(home, "trace", "\(count)", "indexer")
      let time = Double.random(in: busyTimeout...3 * busyTimeout)
      let isDone = tracer.wait(seconds: time) { _ in numbers(tracer).last ?? 0 >= count }
      if !isDone { tracer.signal(SIGKILL) }
      _ = tracer.status()
      let new = numbers(tracer)
      // A busy machine takes longer to start a process.
      if new.isEmpty { busyTimeout *= 1.2 }
      // Only the transaction that it was about to finish with may be delivered again.
      if let first = new.first, let last = seen.last {
        #expect(first == last + 1 || first == last, "after \(last) came \(first)")
      }
      seen += new.first == seen.last ? Array(new.dropFirst()) : new
      kills += 1
    }
    #expect(writer.status() == 0, "\(writer.errorText)")
    #expect(seen == Array(1...count))
    #expect(kills > 2, "\(kills)")
  }

  /// Invariant 5: history that a living process has yet to read is not purged.
  @Test func `a purge waits for a stopped process`() throws {
    let home = try Home()
    let reader = try probe(home, "read", "60")
    #expect(reader.wait { $0.first == "ready" }, "\(reader.errorText)")
    try write(home, 10)
    #expect(reader.wait { $0.count == 11 }, "\(reader.lines)")
    reader.signal(SIGSTOP)
    try write(home, 50)
    #expect(try purge(home) == 10, "a living process has not read the rest")
    #expect(try purge(home) == 0)
    reader.signal(SIGCONT)
    #expect(reader.status() == 0, "\(reader.errorText)")
    #expect(reader.lines.count == 61)
    #expect(try purge(home) == 50, "the process has ended")
  }

  @Test func `a purge does not wait for a dead process`() throws {
    let home = try Home()
    let reader = try probe(home, "read", "60")
    #expect(reader.wait { $0.first == "ready" }, "\(reader.errorText)")
    reader.signal(SIGSTOP)
    try write(home, 20)
    #expect(try purge(home) == 0)
    reader.signal(SIGKILL)
    _ = reader.status()
    #expect(try purge(home) == 20)
  }

  @Test func `a purge waits for a name without a running follower`() throws {
    let home = try Home()
    try write(home, 5)
    let tracer = try probe(home, "trace", "5", "indexer")
    #expect(tracer.status() == 0, "\(tracer.errorText)")
    try write(home, 5)
    #expect(try purge(home) == 5)
    let again = try probe(home, "trace", "10", "indexer")
    #expect(again.status() == 0, "\(again.errorText)")
    #expect(numbers(again) == Array(6...10))
    #expect(try purge(home) == 5)
  }

  @Test func `readers receive the whole history despite concurrent purges`() throws {
    let home = try Home()
    let count = 200
    let reader = try probe(home, "read", "\(count)")
    let tracer = try probe(home, "trace", "\(count)", "indexer")
    for program in [reader, tracer] { #expect(program.wait { $0.first == "ready" }, "\(program.errorText)") }
    let writer = try probe(home, "write", "\(count)", "5")
    var purged = 0
    while tracer.lines.count <= count, writer.errorText.isEmpty, tracer.errorText.isEmpty {
      purged += try purge(home) ?? 0
    }
    #expect(writer.status() == 0, "\(writer.errorText)")
    #expect(tracer.status() == 0, "\(tracer.errorText)")
    #expect(reader.status() == 0, "\(reader.errorText)")
    #expect(numbers(tracer) == Array(1...count))
    #expect(tracer.lines.dropFirst().allSatisfy { $0.hasSuffix(" insert") })
    #expect(reader.lines.count == count + 1)
    #expect(purged > 0)
  }

  @Test func `only one process can follow under a name`() throws {
    let home = try Home()
    let first = try probe(home, "trace", "1", "indexer")
    #expect(first.wait { $0.first == "ready" }, "\(first.errorText)")
    let second = try probe(home, "trace", "1", "indexer")
    #expect(second.status() != 0)
    #expect(second.errorText.contains("indexer"), "\(second.errorText)")
    try write(home, 1)
    #expect(first.status() == 0, "\(first.errorText)")
  }
}

/// A process's reactions to missing history, which purges by Core Data do not cause.
extension HistoryProcessTests {
  /// Invariant 5 holds again once the disk has space. A folder with the name of the registry simulates a full disk.
  @Test func `a reader registers once the registry can be created`() throws {
    let home = try Home()
    let model = Self.model
    let url = home.url.appendingPathComponent("Late.sqlite")
    func open() throws -> NSManagedObjectContext {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        type: .sqlite, at: url, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return context
    }
    let (reader, writer) = (try open(), try open())
    let registry = url.path + "-readers"
    try FileManager.default.createDirectory(atPath: registry, withIntermediateDirectories: false)
    reader.automaticallyMergesChangesFromParent = true
    try FileManager.default.removeItem(atPath: registry)
    try writer.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Event", into: writer).setValue(1, forKey: "number")
      try writer.save()
    }
    let end = Date(timeIntervalSinceNow: 120)
    // Byte 40 of a record is the kind of its owner. 1 is a reader without a name.
    func isRegistered() -> Bool {
      FileManager.default.contents(atPath: registry).map { $0.count >= 128 && $0[40] == 1 } ?? false
    }
    while Date() < end, !isRegistered() { usleep(5_000) }
    #expect(isRegistered())
  }

  @MainActor @Test func `a context refetches its objects when history is missing`() throws {
    let home = try Home()
    let model = Self.model
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = home.url.appendingPathComponent("Gap.sqlite")
    try coordinator.addPersistentStore(
      type: .sqlite, at: url, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    // Retained, so that they stay registered with the context. Used only in its blocks.
    nonisolated(unsafe) let events = context.performAndWait {
      (0..<2).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Event", into: context) }
    }
    try context.performAndWait {
      for event in events { event.setValue(1, forKey: "number") }
      try context.save()
    }
    context.automaticallyMergesChangesFromParent = true
    // Used only in the context's blocks.
    nonisolated(unsafe) let list = list(of: context)
    let listDelegate = ListDelegate()
    list.delegate = listDelegate
    try context.performAndWait { try list.performFetch() }
    let shell = try Connection(path: url.path, mode: .readWrite, busyTimeout: 5)
    try shell.writing {
      try shell.run("UPDATE ZEVENT SET ZNUMBER = 2, Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
      try shell.run("DELETE FROM ZEVENT WHERE Z_PK = 2")
      try shell.run("INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (3, 1, 1, 3)")
      try shell.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 1")
      try shell.run("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 3 WHERE Z_ENT = 16002")
      try shell.run("DELETE FROM ACHANGE")
      try shell.run("DELETE FROM ATRANSACTION")
    }
    shell.close()
    let end = Date(timeIntervalSinceNow: 120)
    var isRight = false
    while Date() < end, !isRight {
      usleep(5_000)
      isRight = context.performAndWait {
        events[0].value(forKey: "number") as? Int == 2 && events[1].managedObjectContext == nil
          && list.fetchedObjects?.map { $0.value(forKey: "number") as? Int } == [2, 3]
      }
    }
    #expect(isRight)
    context.performAndWait { #expect(!context.hasChanges) }
    withExtendedLifetime(listDelegate) {}
  }

  private final class ListDelegate: NSObject, NSFetchedResultsControllerDelegate {}

  private func list(of context: NSManagedObjectContext) -> NSFetchedResultsController<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  }

  private static let model = makeModel(makeEntity("Event", [attribute("number", .integer64)]))
}
