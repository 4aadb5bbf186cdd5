import CoreData
import Foundation

/// What a process does that is not as others are: it forks, or has too many files open.
enum OddProbe {
  /// Uses the store in the child of a fork, and then in the parent again.
  static func fork(_ count: Int, _ container: NSPersistentContainer, in folder: URL) throws {
    let context = container.newBackgroundContext()
    try save(count, context)
    // Swift does not offer fork(2).
    guard let symbol = dlsym(nil, "fork") else { throw POSIXError(.ENOSYS) }
    let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
    let child = fork()
    if child == 0 {
      say("read") { _ = try context.performAndWait { try context.count(for: request) } }
      say("save") { try save(1, context) }
      say("open") { _ = try ProbeContainer.open(in: folder) }
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    guard status == 0 else { throw POSIXError(.ECHILD) }
    try save(1, context)
    StoreProbe.say("parent goes on: \(try context.performAndWait { try context.count(for: request) })")
  }

  private static var request: NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Event") }

  private static func say(_ deed: String, _ body: () throws -> Void) {
    do {
      try body()
      StoreProbe.say("\(deed): done")
    } catch {
      StoreProbe.say("\(deed): \(error.localizedDescription)")
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

  /// Takes all descriptors below 1,024, the last that select(2) can wait for.
  static func crowd() throws {
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
