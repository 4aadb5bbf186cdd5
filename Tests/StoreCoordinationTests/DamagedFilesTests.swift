import CoreData
import Foundation
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Flipped bits and truncation in each file of a store, while it is closed or open. The store must report errors or return
/// the right rows. Set `STRATA_TEST_SEED` for other cases.
@Suite struct DamagedFilesTests {
  /// A file of a store, by its suffix.
  enum Part: String, CaseIterable {
    case store = ""
    case log = "-wal"
    case index = "-shm"
    case writerLock = "-turn"
    case readers = "-readers"

    /// Whether the rows are independent of the file.
    var isAuxiliary: Bool { self == .writerLock || self == .readers }
  }

  private static let rounds = Thoroughness.repetitions(8, all: 24)
  private let intact: [Part: Data]
  private let rows: Set<String>

  /// Creates a store with small pages, some of whose commits are only in the log.
  init() throws {
    let store = try DamagedStore()
    try store.fill()
    let connection = try Connection(path: store.url.path, mode: .readWrite, busyTimeout: 5)
    for statement in ["PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512", "VACUUM"] {
      try connection.run(statement)
    }
    connection.close()
    (intact, rows) = try store.open { context in
      for number in 1...10 {
        for (index, quake) in try Self.quakes(in: context).prefix(2).enumerated() {
          quake.setValue(index == 0 ? number : -number, forKey: "felt")
        }
        try context.save()
      }
      try Self.purge(in: context)
      let files = try Part.allCases.map {
        ($0, try Data(contentsOf: URL(fileURLWithPath: store.url.path + $0.rawValue)))
      }
      return (Dictionary(uniqueKeysWithValues: files), try Self.rows(in: context))
    }
  }

  private static func quakes(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(key: "depth", ascending: true)]
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)
  }

  private static func rows(in context: NSManagedObjectContext) throws -> Set<String> {
    context.reset()
    return Set(
      try quakes(in: context).map { quake in
        let keys = ["code", "depth", "time", "amount", "mark", "link", "photo", "felt"]
        return keys.map { "\(String(describing: quake.value(forKey: $0)))" }.joined(separator: " ")
      })
  }

  private static func purge(in context: NSManagedObjectContext) throws {
    _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date()))
  }

  /// A copy in a separate folder, because threads of a removed store may still use its files for a moment.
  private func copy(but part: Part? = nil, is bytes: Data = Data()) throws -> DamagedStore {
    let copy = try DamagedStore()
    for (other, content) in intact {
      try (other == part ? bytes : content).write(to: URL(fileURLWithPath: copy.url.path + other.rawValue))
    }
    return copy
  }

  /// Flips bits, mostly of one page, or truncates the data.
  private func damage(_ bytes: Data, _ random: inout SeededRandom, canTruncate: Bool) -> Data {
    var bytes = bytes
    if canTruncate, Int.random(in: 0..<4, using: &random) == 0 {
      return bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
    }
    let page = Int.random(in: 0...(bytes.count - 1) / 512, using: &random) * 512
    for _ in 0..<(1 << Int.random(in: 0...5, using: &random)) {
      // The first bytes of a page or frame describe the rest.
      let offset = page + Int.random(in: 0..<(Bool.random(using: &random) ? 40 : 512), using: &random)
      bytes[min(offset, bytes.count - 1)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    return bytes
  }

  @Test(arguments: Part.allCases) func `a closed store survives damage to its files`(_ part: Part) throws {
    var random = SeededRandom()
    for _ in 0..<Self.rounds {
      let bytes = try #require(intact[part])
      let damaged = try copy(but: part, is: damage(bytes, &random, canTruncate: true))
      guard part != .store else {
        try? damaged.useAll()
        continue
      }
      try damaged.open { context in
        let found = try Self.rows(in: context)
        // The index is rebuilt, and the log is valid up to some commit.
        if part == .log {
          // All but two rows are in the file; these two are changed together.
          let felt = try Self.quakes(in: context).prefix(2).compactMap { $0.value(forKey: "felt") as? Int }
          #expect(found.count == rows.count && (felt.reduce(0, +) == 0 || felt == [5, 6]))
        } else {
          #expect(found == rows)
        }
        try damaged.useAll(of: context)
        try Self.purge(in: context)
      }
    }
  }

  @Test(arguments: Part.allCases) func `an open store survives damage to its files`(_ part: Part) throws {
    var random = SeededRandom()
    for _ in 0..<Self.rounds {
      let damaged = try copy()
      do {
        try damaged.open { context in
          try damaged.useAll(of: context)
          let found = try Self.rows(in: context)
          #expect(found == rows)
          let file = try FileHandle(forUpdating: URL(fileURLWithPath: damaged.url.path + part.rawValue))
          // A truncated index ends the process, as it ends every program that uses SQLite.
          let bytes = damage(try #require(try file.readToEnd()), &random, canTruncate: part != .index)
          try file.truncate(atOffset: UInt64(bytes.count))
          try file.seek(toOffset: 0)
          try file.write(contentsOf: bytes)
          context.reset()
          try damaged.useAll(of: context)
          try Self.purge(in: context)
          #expect(try !part.isAuxiliary || Self.rows(in: context) == rows)
        }
      } catch {
        #expect(!part.isAuxiliary, "\(error)")
      }
    }
  }

  @Test func `a purge rejects an oversized readers file`() throws {
    let damaged = try copy()
    #expect(truncate(damaged.url.path + "-readers", 1 << 42) == 0)
    try damaged.open { context in
      try damaged.useAll(of: context)
      #expect(try Self.rows(in: context) == rows)
      let error = #expect(throws: (any Error).self) { try Self.purge(in: context) }
      #expect("\(String(describing: error))".contains("-readers"))
    }
  }

  /// A read that fails temporarily must not lose a merge.
  @Test func `rows that were unreadable after another commit are merged later`() async throws {
    let damaged = try copy()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: DamagedStore.model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: damaged.url,
      options: [NSPersistentHistoryTrackingKey: true])
    defer { try? coordinator.remove(store) }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.automaticallyMergesChangesFromParent = true
    let (quake, regions) = try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Region")
      return (try #require(Self.quakes(in: context).last), try context.fetch(request))
    }
    #expect(!regions.isEmpty)

    let connection = try Connection(path: damaged.url.path, mode: .readWrite, busyTimeout: 5)
    defer { connection.close() }
    _ = try connection.checkpoint()
    let root = try #require(try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZREGION'"))
    let (file, offset) = (try FileHandle(forUpdating: damaged.url), UInt64(root - 1) * 512)
    try file.seek(toOffset: offset)
    let intact = try #require(try file.read(upToCount: 512))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data(count: 512))
    try connection.run("UPDATE ZQUAKE SET ZFELT = 77")
    // Long enough for a failed attempt. On a slow machine, the first attempt may come later.
    try await Task.sleep(for: .seconds(1))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: intact)
    let end = Date(timeIntervalSinceNow: 120)
    while context.performAndWait({ quake.value(forKey: "felt") as? Int }) != 77, Date() < end { usleep(20_000) }
    #expect(context.performAndWait { quake.value(forKey: "felt") as? Int } == 77)
  }
}
