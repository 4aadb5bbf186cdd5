import Foundation
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Snapshots of a store while others commit to it.
@Suite struct SnapshotTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func size(ofWALOf quakes: QuakeStore) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: quakes.store.url.path + "-wal")[.size] as? Int ?? 0
  }

  private func insert(_ count: Int, into quakes: QuakeStore) throws {
    for _ in 0..<count {
      try quakes.insert([quakes.row("Quake", ["name": .string(String(repeating: "x", count: 4_000))])])
    }
  }

  @Test func `a snapshot survives checkpoints, and the WAL shrinks after its end`() throws {
    let quakes = try QuakeStore(in: folder)
    let first = try quakes.insert([quakes.row("Quake", ["name": .string("first")])]).inserted[0]
    let plan = FetchQuery(layout: quakes.layout("Quake"))
    var snapshot = try quakes.store.pinned()
    let row = try #require(try quakes.stored(first))
    var batch = ChangeBatch()
    batch.updated = [quakes.update(row, "name", .string("changed"))]
    _ = try quakes.store.commit(batch)
    try insert(2_500, into: quakes)
    let shell = try quakes.shell()
    try shell.run("PRAGMA wal_checkpoint(PASSIVE)")
    #expect(try quakes.count("Quake") == 2_501)
    #expect(try snapshot?.count(for: plan) == 1)
    #expect(try snapshot?.ids(for: plan) == [first])
    let old = try #require(try snapshot?.rows(with: [first]).rows.first)
    #expect(old.layout.slot(named: "name").map { old[$0] } == .string("first"))
    let long = try size(ofWALOf: quakes)
    #expect(long > 9 << 20)
    snapshot = nil
    // The WAL restarts once a checkpoint has copied all of it, which happens in a pause between saves.
    for _ in 0..<2_000 where try size(ofWALOf: quakes) >= long {
      try insert(50, into: quakes)
      usleep(30_000)
    }
    #expect(try size(ofWALOf: quakes) < long)
  }

  @Test func `many query generations coexist`() throws {
    let quakes = try QuakeStore(in: folder)
    let plan = FetchQuery(layout: quakes.layout("Quake"))
    let snapshots = try (0..<12).map { _ in
      try quakes.insert([quakes.row("Quake")])
      return try #require(try quakes.store.pinned())
    }
    #expect(try snapshots.map { try $0.count(for: plan) } == Array(1...12))
  }

  @Test func `closing a store ends its snapshots`() throws {
    let quakes = try QuakeStore(in: folder)
    let snapshot = try #require(try quakes.store.pinned())
    quakes.store.close()
    #expect(throws: StoreError.self) { try snapshot.count(for: FetchQuery(layout: quakes.layout("Quake"))) }
    // The writer was the last connection, so closing it checkpointed the WAL.
    #expect(!FileManager.default.fileExists(atPath: quakes.store.url.path + "-wal"))
  }
}
