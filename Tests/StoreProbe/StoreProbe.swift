import CoreData
import Foundation

/// A process that tests start: `store-probe COMMAND FOLDER COUNT [MILLISECONDS|NAME|RATE [PROCESSES]]`.
///
/// `write` saves COUNT events one by one and prints each one's number and when the save returned; `batch` inserts them
/// with a batch request; `read` prints the number of each event that others save and when its context merged it, and
/// ends after COUNT. Times are nanoseconds of the machine's monotonic clock, which all processes share. `edit` commits
/// COUNT changes of every kind to events, then event COUNT, and prints the contents; `follow` shows events in sections
/// by a fetched results controller, prints its callbacks, and ends with the list when event COUNT arrives. `trace`
/// follows the history under NAME up to transaction COUNT; `purge` purges it. `stray` uses a context outside of its
/// queue. `fork` uses the store in the child of a fork; `crowd` reads with more files open than inotifytools supports;
/// `starve` uses the store while no file can be opened, and waits until COUNT events are merged. `figures` prints how long
/// commits take to reach other processes, and the cost of watching, over COUNT seconds. `memory` inserts COUNT events in one
/// save and prints the memory of each. `old`, `migrate` and `stage` are those of `Migrant`, `place` that of
/// `DefaultLocationProbe`, `guest` that of `ReadOnlyProbe`.
@main
struct StoreProbe {
  @MainActor static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let count = Int(arguments[3]) else {
      let usage =
        "usage: store-probe COMMAND FOLDER COUNT [MILLISECONDS|NAME]; COMMAND is write, batch, read, edit, "
        + "follow, guest, trace, purge, stray, fork, crowd, starve, figures, memory, place, old, migrate or stage\n"
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
    let folder = URL(fileURLWithPath: arguments[2], isDirectory: true)
    switch arguments[1] {
    case "old": return try Migrant.make(in: folder, count)
    case "migrate": return try Migrant.migrate(in: folder, staged: false)
    case "stage": return try Migrant.migrate(in: folder, staged: true)
    case "place": return try DefaultLocationProbe.fill(count, arguments.count > 4 ? arguments[4] : "Event")
    case "guest": return try ReadOnlyProbe.follow(in: folder, until: count)
    case "crowd": try ProcessProbe.openManyFiles()
    default: break
    }
    let container = try ProbeContainer.open(in: folder)
    switch arguments[1] {
    case "write":
      try write(count, every: arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0, container.newBackgroundContext())
    case "batch": try insertBatch(of: count, container.newBackgroundContext())
    case "fork": try ProcessProbe.fork(count, container, in: folder)
    case "starve": try ProcessProbe.runWithoutDescriptors(count, container, in: folder)
    case "figures":
      let numbers = arguments.dropFirst(4).map { Int($0) ?? 1 }
      try LatencyProbe(container, in: folder, processes: numbers.count > 1 ? numbers[1] : 1).measure(
        seconds: count, rate: numbers.first ?? 300)
    case "memory": try MemoryProbe.insert(count, container.newBackgroundContext())
    case "edit": try EventList.edit(count, container.newBackgroundContext())
    case "follow": try follow(EventList(container.viewContext, last: count))
    case "trace": try await HistoryProbe.trace(count, as: arguments.count > 4 ? arguments[4] : "trace", container)
    case "purge": try HistoryProbe.purge(container)
    case "stray": printLine("\(container.newBackgroundContext().hasChanges)")
    default: read(count, container.viewContext)
    }
  }

  private static func write(_ count: Int, every milliseconds: Int, _ context: NSManagedObjectContext) throws {
    context.transactionAuthor = "probe \(getpid())"
    try context.performAndWait {
      for number in 0..<count {
        let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
        event.setValue(number, forKey: "number")
        event.setValue(Int(getpid()), forKey: "writer")
        try context.save()
        printLine("\(number) \(now())")
        if milliseconds > 0 { usleep(UInt32(milliseconds) * 1_000) }
      }
    }
  }

  private static func insertBatch(of count: Int, _ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let rows = (0..<count).map { ["number": $0, "writer": Int(getpid())] }
      _ = try context.execute(NSBatchInsertRequest(entityName: "Event", objects: rows))
    }
  }

  @MainActor private static func follow(_ list: EventList) throws {
    try list.follow()
    withExtendedLifetime(list) { dispatchMain() }
  }

  private static func read(_ count: Int, _ context: NSManagedObjectContext) {
    // Only modified in the notification's block, on the main queue.
    nonisolated(unsafe) var left = count
    _ = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { note in
      let time = now()
      for event in note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? [] {
        printLine("\(event.value(forKey: "writer") ?? 0) \(event.value(forKey: "number") ?? -1) \(time)")
        left -= 1
      }
      if left <= 0 { exit(0) }
    }
    context.automaticallyMergesChangesFromParent = true
    printLine("ready")
    dispatchMain()
  }

  /// Prints a line and flushes, so that a reader need not wait for a buffer to fill.
  static func printLine(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// A container with one entity and one store with history.
enum ProbeContainer {
  static func open(in folder: URL, readOnly: Bool = false) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Probe", managedObjectModel: model())
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Probe.sqlite"))
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.isReadOnly = readOnly
    description.setOption(readOnly as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  private static func model() -> NSManagedObjectModel {
    let event = NSEntityDescription()
    event.name = "Event"
    event.properties = ["number", "writer"].map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .integer64AttributeType
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [event]
    return model
  }
}
