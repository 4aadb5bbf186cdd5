import CoreData
import Foundation
import StrataCSQLite
import StrataTestSupport
import Testing

/// Several stores, several coordinators and long-running readers in one process.
@Suite(.waitsForProcesses) struct MultipleCoordinatorTests {
  private let home: Home

  init() throws { home = try Home() }

  private func model() -> NSManagedObjectModel { makeModel(makeEntity("Note", [attribute("text")])) }

  private func container(_ name: String) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: name, managedObjectModel: model())
    let description = NSPersistentStoreDescription(url: home.url.appendingPathComponent("\(name).sqlite"))
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  private func save(_ texts: [String], _ container: NSPersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for text in texts {
        NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(text, forKey: "text")
      }
      try context.save()
    }
  }

  /// Creates a context, and collects the texts of notes that other contexts insert.
  private func makeListener(_ container: NSPersistentContainer) -> (NSManagedObjectContext, ReceivedChanges) {
    let context = container.newBackgroundContext()
    let received = ReceivedChanges()
    received.observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { [weak received] note in
      let new = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
      received?.add(
        new.compactMap { $0.value(forKey: "text") as? String },
        (note.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0)
    }
    context.automaticallyMergesChangesFromParent = true
    return (context, received)
  }

  /// Waits for a condition, and returns whether it became true in time.
  private func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<12_000 {
      if try condition() { return true }
      usleep(5_000)
    }
    return false
  }

  /// Invariant 3, with both ends in one process.
  @Test func `coordinators of one process merge the commits of each other`() throws {
    let (one, other) = (try container("Shared"), try container("Shared"))
    let listeners = [makeListener(one), makeListener(other)]
    let texts = (0..<40).map { "\($0)" }
    for (number, text) in texts.enumerated() { try save([text], number % 2 == 0 ? one : other) }
    for (context, received) in listeners {
      #expect(waitUntil { received.texts.count >= 40 })
      #expect(received.texts.sorted() == texts.sorted())
      withExtendedLifetime(context) {}
    }
  }

  /// A commit in the history is not mistaken for a foreign writer's.
  @Test func `commits of others refresh only changed objects`() async throws {
    let (one, other) = (try container("Quiet"), try container("Quiet"))
    try save((0..<50).map { "held \($0)" }, one)
    let (context, received) = makeListener(one)
    let held = try context.performAndWait { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) }
    for number in 0..<30 { try save(["\(number)"], number % 3 == 0 ? one : other) }
    let busy = other.newBackgroundContext()
    try busy.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: busy)
      note.setValue("last", forKey: "text")
      try busy.save()
    }
    #expect(waitUntil { received.texts.count >= 31 })
    // The rechecks after a write to the WAL take up to a second.
    try await Task.sleep(for: .seconds(1.5))
    #expect(held.count == 50 && received.refreshed == 0)
  }

  /// Reserved IDs, metadata and purges are commits without a transaction, and do not refresh objects.
  @Test func `commits of others without history do not refresh objects`() async throws {
    let (one, other) = (try container("Unlisted"), try container("Unlisted"))
    try save((0..<50).map { "held \($0)" }, one)
    let (context, received) = makeListener(one)
    let held = try context.performAndWait { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) }
    let coordinator = other.persistentStoreCoordinator
    let busy = other.newBackgroundContext()
    for round in 0..<10 {
      try busy.performAndWait {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: busy)
        try busy.obtainPermanentIDs(for: [note])
        busy.delete(note)
      }
      coordinator.setMetadata(["round": round], for: coordinator.persistentStores[0])
      try save(["\(round)"], other)
      if round % 3 == 0 { try HistoryFollower.purgeHistory(of: coordinator.persistentStores[0]) }
      usleep(20_000)
    }
    #expect(waitUntil { received.texts.count >= 10 })
    try await Task.sleep(for: .seconds(1.5))
    #expect(held.count == 50 && received.refreshed == 0)
  }

  /// Invariant 4, with a purge of the history between two rechecks.
  @Test func `a foreign writer is noticed despite purges`() throws {
    let (one, other) = (try container("Purged"), try container("Purged"))
    try save(["0"], one)
    let (context, received) = makeListener(one)
    let note = try context.performAndWait {
      try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first)
    }
    let path = try #require(one.persistentStoreCoordinator.persistentStores[0].url).path
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    sqlite3_busy_timeout(handle, 60_000)
    sqlite3_wal_autocheckpoint(handle, 0)
    strata_set_checkpoint_on_close(handle, 0)
    for round in 1...10 {
      try save(["filler \(round)"], other)
      #expect(waitUntil { received.texts.count == round })
      #expect(sqlite3_exec(handle, "UPDATE ZNOTE SET ZTEXT = '\(round)' WHERE Z_PK = 1", nil, nil, nil) == SQLITE_OK)
      try HistoryFollower.purgeHistory(of: other.persistentStoreCoordinator.persistentStores[0])
      #expect(waitUntil { context.performAndWait { note.value(forKey: "text") as? String == "\(round)" } }, "\(round)")
    }
  }

  /// SQLite stores any bytes as text.
  @Test func `invalid UTF-8 is repaired`() throws {
    let writing = try container("Bytes")
    let bytes: [[UInt8]] = [
      [0xFF], [0x41, 0xC3], [0x80] + Array("behind".utf8), Array("0123456789abcd".utf8) + [0xE9],
    ]
    try save(bytes.map { _ in "" }, writing)
    let path = try #require(writing.persistentStoreCoordinator.persistentStores[0].url).path
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    for (row, text) in bytes.enumerated() {
      let hex = text.map { String(format: "%02x", $0) }.joined()
      let sql = "UPDATE ZNOTE SET ZTEXT = CAST(x'\(hex)' AS TEXT) WHERE Z_PK = \(row + 1)"
      #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }
    let context = try container("Bytes").newBackgroundContext()
    let read = try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).map { $0.value(forKey: "text") as? String }
    }
    #expect(Set(read) == Set(bytes.map { String(decoding: $0, as: UTF8.self) }))
  }

  @Test func `stores of one folder are merged separately`() throws {
    let names = ["A", "B", "C"]
    let listeners = try names.map { makeListener(try container($0)) }
    for name in names {
      let writing = try container(name)
      for number in 0..<10 { try save(["\(name)\(number)"], writing) }
    }
    for ((context, received), name) in zip(listeners, names) {
      #expect(waitUntil { received.texts.count >= 10 })
      #expect(received.texts.sorted() == (0..<10).map { "\(name)\($0)" })
      withExtendedLifetime(context) {}
    }
  }

  /// Invariant 7 and its cost: the WAL grows while a snapshot is held, and shrinks again afterwards.
  @Test func `the log shrinks again after a long-running reader`() throws {
    let container = try container("Long")
    let log = home.url.appendingPathComponent("Long.sqlite-wal").path
    func size() throws -> Int { try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0 }
    let large = [String(repeating: "x", count: 400_000)]
    try save(["first"], container)
    let pinned = container.newBackgroundContext()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    try pinned.performAndWait {
      try pinned.setQueryGenerationFrom(.current)
      #expect(try pinned.count(for: request) == 1)
    }
    for _ in 0..<60 { try save(large, container) }
    #expect(try size() > 20 << 20)
    try pinned.performAndWait {
      #expect(try pinned.count(for: request) == 1)
      try pinned.setQueryGenerationFrom(nil)
      #expect(try pinned.count(for: request) == 61)
    }
    // Checkpoints run in pauses between saves; the first save after a complete one restarts the WAL.
    #expect(
      try waitUntil {
        usleep(50_000)
        try save(large, container)
        return try size() <= 8 << 20
      }, "the log does not shrink")
  }

  /// A reader notices that the files are missing, and continues once they are back.
  @Test func `a reader notices that the store is moved away and back`() throws {
    let container = try container("Moved")
    try save(["first"], container)
    let (context, received) = makeListener(container)
    let manager = FileManager.default
    let files = ["Moved.sqlite", "Moved.sqlite-wal", "Moved.sqlite-shm"].map { home.url.appendingPathComponent($0) }
    func move(_ isBack: Bool) throws {
      for file in isBack ? files.reversed() : files {
        let away = file.appendingPathExtension("away")
        try manager.moveItem(at: isBack ? away : file, to: isBack ? file : away)
      }
    }
    func count() throws -> Int {
      try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) }
    }
    #expect(try count() == 1)
    try move(false)
    // A check between two of the moves may fail with another message.
    #expect(
      waitUntil {
        do { _ = try count() } catch { return error.localizedDescription.contains("no longer the one that was opened") }
        return false
      })
    try move(true)
    #expect(waitUntil { (try? count()) == 1 })
    try save(["second"], container)
    #expect(waitUntil { received.texts == ["second"] }, "\(received.texts)")
  }

  /// The files come back while the reader detects that they are missing.
  @Test func `a reader finds a store that was away for an instant`() throws {
    let container = try container("Instant")
    try save(["first"], container)
    let (context, _) = makeListener(container)
    let store = home.url.appendingPathComponent("Instant.sqlite").path
    for round in 0..<500 {
      try #require(rename(store, store + ".away") == 0)
      usleep(UInt32(round % 30) * 20)
      try #require(rename(store + ".away", store) == 0)
      // Until the events of both have most likely arrived.
      usleep(2_000)
      let isBack = waitUntil {
        context.performAndWait {
          (try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))) == 1
        }
      }
      try #require(isBack, "after \(round) times")
    }
  }
}

/// The notifications that a context received.
private final class ReceivedChanges: @unchecked Sendable {
  // @unchecked: locked, and the observer is set once.

  private let lock = NSLock()
  private var all: [String] = []
  private var count = 0
  var observer: (any NSObjectProtocol)?

  var texts: [String] { lock.withLock { all } }

  /// The number of refreshed objects.
  var refreshed: Int { lock.withLock { count } }

  func add(_ texts: [String], _ refreshed: Int) {
    lock.withLock {
      all += texts
      count += refreshed
    }
  }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
}
