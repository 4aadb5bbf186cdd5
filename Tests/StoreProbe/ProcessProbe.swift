import CoreData
import Foundation

/// Unusual processes: one that forks, one with too many open files, one that cannot open another file.
enum ProcessProbe {
  /// Uses the store in the child of a fork, and then in the parent again.
  static func fork(_ count: Int, _ container: NSPersistentContainer, in folder: URL) throws {
    let context = container.newBackgroundContext()
    try save(count, context)
    // Swift does not expose fork(2).
    guard let symbol = dlsym(nil, "fork") else { throw POSIXError(.ENOSYS) }
    let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
    let child = fork()
    if child == 0 {
      report("read") { _ = try context.performAndWait { try context.count(for: request) } }
      report("save") { try save(1, context) }
      report("open") { _ = try ProbeContainer.open(in: folder) }
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    guard status == 0 else { throw POSIXError(.ECHILD) }
    try save(1, context)
    StoreProbe.printLine("parent continues: \(try context.performAndWait { try context.count(for: request) })")
  }

  private static var request: NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Event") }

  private static func report(_ step: String, _ body: () throws -> Void) {
    do {
      try body()
      StoreProbe.printLine("\(step): done")
    } catch {
      StoreProbe.printLine("\(step): \(error.localizedDescription)")
    }
  }

  private static func save(_ count: Int, _ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      defer { context.rollback() }
      for number in 0..<count {
        let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
        event.setValue(number, forKey: "number")
      }
      try context.save()
    }
  }

  /// Uses the store while no descriptor is available, and reports when everything works again.
  static func runWithoutDescriptors(_ count: Int, _ container: NSPersistentContainer, in folder: URL) throws {
    let context = container.newBackgroundContext()
    try save(1, context)
    let mergingContext = container.newBackgroundContext()
    let (merged, lock) = (DispatchSemaphore(value: 0), NSLock())
    nonisolated(unsafe) var left = count
    _ = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: mergingContext, queue: nil
    ) { note in
      let new = (note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
      lock.withLock { left -= new }
      if lock.withLock({ left <= 0 }) { merged.signal() }
    }
    // Start Dispatch's workers first: Dispatch aborts the process if it cannot open the files that the first worker needs.
    let workerStarted = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { workerStarted.signal() }
    workerStarted.wait()
    usleep(100_000)
    let limit = try lowerDescriptorLimit()
    report("open") { _ = try ProbeContainer.open(in: folder) }
    // The file that signals commits cannot be created then.
    unlink(folder.appendingPathComponent("Probe.sqlite-notify").path)
    for step in ["save", "second save", "third save"] { report(step) { try save(1, context) } }
    report("read") { _ = try context.performAndWait { try context.count(for: request) } }
    mergingContext.automaticallyMergesChangesFromParent = true
    setLimit(limit)
    report("open again") { _ = try ProbeContainer.open(in: folder) }
    report("save again") { try save(1, context) }
    // Another process saves the rest.
    StoreProbe.printLine("ready")
    StoreProbe.printLine(merged.wait(timeout: .now() + 120) == .success ? "merged" : "missed \(lock.withLock { left })")
  }

  /// - Returns: the previous limit.
  private static func lowerDescriptorLimit() throws -> rlim_t {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // The lowest free descriptor: all below it are in use.
    let free = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard free >= 0 else { throw POSIXError(.EMFILE) }
    close(free)
    setLimit(rlim_t(free))
    return limit.rlim_cur
  }

  private static func setLimit(_ count: rlim_t) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = count
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Uses up all descriptors below 1,024, the limit of select(2).
  static func openManyFiles() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    while true {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
      if descriptor >= 1_030 { return }
    }
  }
}
