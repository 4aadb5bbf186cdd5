import Foundation
import StrataTestSupport
import Testing

/// An old store that several processes open simultaneously with a newer model.
@Suite(.waitsForProcesses, .serialized) struct MigrationProcessTests {
  private static let count = 4_000
  private static let sum = count * (count - 1) / 2

  private static let old = Result {
    let home = try Home(in: TemporaryFolder.make())
    let maker = try Program("strata-store-probe", ["old", home.url.path, "\(count)"], home: home.url)
    try #require(maker.status() == 0, "\(maker.errorText)")
    return home
  }

  /// A copy of a home folder with an old store, which is created once.
  private func old() throws -> Home { try Home(copyOf: Self.old.get()) }

  private func store(_ home: Home) -> String { home.url.appendingPathComponent("Migrant.sqlite").path }

  private func migrant(_ home: Home, _ command: String = "migrate") throws -> Program {
    let migrant = try Program("strata-store-probe", [command, home.url.path, "0"], home: home.url)
    #expect(migrant.wait { $0.first == "ready" }, "\(migrant.errorText)")
    return migrant
  }

  /// Lets the waiting processes migrate.
  private func startMigration(_ home: Home) throws { _ = try home.write("go", "") }

  /// SQLite's schema version, which counts changes of the tables.
  private func schemaVersion(_ home: Home) throws -> String? {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: store(home)))
    defer { try? file.close() }
    try file.seek(toOffset: 40)
    return try file.read(upToCount: 4)?.map { "\($0)" }.joined(separator: ".")
  }

  /// The checksum of the store's current model, and the result of checking the store.
  private func state(_ home: Home) throws -> (checksum: String?, check: Program, status: Int32?) {
    let hash = try Program("coredata", ["model", "hash", store(home)], home: home.url)
    #expect(hash.status() == 0, "\(hash.errorText)")
    let check = try Program("coredata", ["store", "check", store(home)], home: home.url)
    return (hash.lines.last, check, check.status())
  }

  @Test(arguments: [2, 8]) func `one of several processes migrates the store`(processes: Int) throws {
    let alone = try old()
    let single = try migrant(alone)
    try startMigration(alone)
    #expect(single.status() == 0, "\(single.errorText)")
    let home = try old()
    let migrants = try (0..<processes).map { _ in try migrant(home) }
    try startMigration(home)
    for migrant in migrants {
      #expect(migrant.status() == 0, "\(migrant.errorText)")
      #expect(migrant.lines.last == "\(Self.count / 2) \(Self.count / 2) \(Self.sum) 0")
    }
    #expect(try schemaVersion(home) == schemaVersion(alone))
    let state = try state(home)
    #expect(state.status == 0, "\(state.check.lines) \(state.check.errorText)")
  }

  @Test func `migration stages run once`() throws {
    let home = try old()
    let migrants = try (0..<8).map { _ in try migrant(home, "stage") }
    try startMigration(home)
    for migrant in migrants {
      #expect(migrant.status() == 0, "\(migrant.errorText)")
      #expect(migrant.lines.last == "\(Self.count / 2) \(Self.count / 2) \(Self.sum) \(Self.count)")
    }
  }

  @Test func `a killed migration leaves the old or the new store`() throws {
    let home = try old()
    let before = try state(home).checksum
    let timed = try migrant(home)
    let start = Date()
    try startMigration(home)
    #expect(timed.status() == 0, "\(timed.errorText)")
    let whole = Date().timeIntervalSince(start)
    let after = try state(home).checksum
    #expect(before != nil && after != nil && before != after)
    var seen: Set<String?> = []
    for round in (0..<16).sampled(every: 3) {
      let home = try old()
      let migrant = try migrant(home)
      try startMigration(home)
      usleep(UInt32(whole * 1_000_000 * Double(round) / 12))
      migrant.signal(SIGKILL)
      _ = migrant.status()
      let state = try state(home)
      seen.insert(state.checksum)
      #expect(state.checksum == before || state.checksum == after)
      #expect(state.status == 0, "\(state.check.lines) \(state.check.errorText)")
      let next = try self.migrant(home)
      #expect(next.status() == 0, "\(next.errorText)")
      #expect(next.lines.last == "\(Self.count / 2) \(Self.count / 2) \(Self.sum) 0")
    }
    #expect(seen.contains(before))
  }
}
