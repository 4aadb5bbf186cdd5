import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataSharing
import StrataTestSupport
import Synchronization
import Testing

/// Several stores on one file, which behave like separate processes.
@Suite struct ConcurrentStoreTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `two stores on four threads lose no commits`() throws {
    let stores = try [1, 2].map { try QuakeStore(in: folder, number: $0) }
    let commits = Collected<[Int64]>()
    let count = Thoroughness.repetitions(250, all: 1_000)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      let own = stores[thread % 2]
      commits.add {
        try (0..<count).map { _ in try own.insert([own.row("Quake")], author: "\(thread)").transaction ?? 0 }
      }
    }
    #expect(commits.errors.isEmpty, "\(commits.errors)")
    #expect(try stores[0].count("Quake") == 4 * count)
    let history = try stores[1].store.history(after: 0, limit: 0)
    #expect(history.map(\.number) == Array(1...Int64(4 * count)))
    #expect(Set(history.map(\.author)).count == 4)
    #expect(Set(commits.values.joined()) == Set(1...Int64(4 * count)))
    #expect(try stores[0].shell().value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test func `the WAL is checkpointed in a pause between saves`() throws {
    let quakes = try QuakeStore(in: folder)
    try insert(texts: 24, of: 500_000, into: quakes)
    // Without a pause, the WAL has more than 11 MiB. After a full checkpoint, the next save restarts and truncates it.
    for _ in 0..<2_000 where try size(ofWALOf: quakes) > 8 << 20 {
      usleep(30_000)
      try insert(texts: 1, of: 10, into: quakes)
    }
    #expect(try size(ofWALOf: quakes) <= 8 << 20)
  }

  @Test func `a WAL that is read and written without a pause is restarted`() throws {
    let quakes = try QuakeStore(in: folder)
    let id = try quakes.insert([quakes.row("Region", ["name": .string("")])]).inserted[0]
    let isEnded = Atomic(false)
    let ended = DispatchGroup()
    for _ in 0..<2 {
      ended.enter()
      Thread.detachNewThread {
        while !isEnded.load(ordering: .relaxed) { _ = try? quakes.stored(id) }
        ended.leave()
      }
    }
    defer {
      isEnded.store(true, ordering: .relaxed)
      ended.wait()
    }
    // Each save writes the same pages again. Without a restart, the WAL contains all of them.
    let (length, maximum) = (500_000, 800 << 20)
    var (written, walSize) = (0, 0)
    repeat {
      let row = try #require(try quakes.stored(id))
      var batch = ChangeBatch()
      batch.updated = [quakes.update(row, "name", .string(String(repeating: "\(written % 10)", count: length)))]
      _ = try quakes.store.commit(batch)
      written += length
      walSize = try size(ofWALOf: quakes)
    } while written < 64 << 20 || walSize > 40 << 20 && written < maximum
    #expect(walSize <= 40 << 20, "The WAL has \(walSize) bytes after saves of \(written).")
  }

  @Test func `a long WAL is checkpointed during saves`() throws {
    let quakes = try QuakeStore(in: folder)
    let length = 500_000
    let (minimum, maximum) = (Thoroughness.repetitions(160, all: 400), Thoroughness.repetitions(400, all: 800))
    // A checkpoint is due at 16 MiB, and the scheduler may delay it; without one the WAL would contain all commits.
    var (count, walSize) = (0, 0)
    repeat {
      try insert(texts: 20, of: length, into: quakes)
      count += 20
      walSize = try size(ofWALOf: quakes)
    } while count < minimum || (walSize >= count * length / 4 * 3 && count < maximum)
    #expect(
      walSize < count * length / 4 * 3, "The WAL has \(walSize) bytes after saves of more than \(count * length).")
  }

  private func insert(texts count: Int, of length: Int, into quakes: QuakeStore) throws {
    for _ in 0..<count {
      try quakes.insert([quakes.row("Quake", ["name": .string(String(repeating: "x", count: length))])])
    }
  }

  private func size(ofWALOf quakes: QuakeStore) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: quakes.store.url.path + "-wal")[.size] as? Int ?? 0
  }

  @Test func `a writer does not block readers`() throws {
    let quakes = try QuakeStore(in: folder)
    try quakes.insert([quakes.row("Quake")])
    let shell = try quakes.shell()
    try shell.run("BEGIN IMMEDIATE")
    try shell.run("UPDATE ZQUAKE SET ZNAME = 'b'")
    // A query that waited for the writer would time out.
    #expect(try quakes.count("Quake") == 1)
    try shell.run("COMMIT")
  }

  @Test func `a save waits for a foreign writer until the timeout`() throws {
    var options = SQLStoreOptions.test
    options.timeout = 0.3
    let quakes = try QuakeStore(in: folder, options: options)
    let shell = try quakes.shell()
    try shell.run("BEGIN IMMEDIATE")
    let error = #expect(throws: StoreError.self) { try quakes.insert([quakes.row("Quake")]) }
    #expect(error?.code == .busy)
    try shell.run("COMMIT")
    try quakes.insert([quakes.row("Quake")])
  }

  @Test func `changes of a foreign writer are read`() throws {
    let quakes = try QuakeStore(in: folder)
    let id = try quakes.insert([quakes.row("Quake", ["name": .string("a")])]).inserted[0]
    #expect(try quakes.value(id, "name") == .string("a"))
    try quakes.shell().run("UPDATE ZQUAKE SET ZNAME = 'b', Z_OPT = Z_OPT + 1")
    #expect(try quakes.value(id, "name") == .string("b"))
  }

  @Test func `closing a store during saves loses no commits`() throws {
    let quakes = try QuakeStore(in: folder)
    let saved = Collected<Int64>()
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      if thread == 0 {
        Thread.sleep(forTimeInterval: 0.05)
        quakes.store.close()
      } else {
        while saved.errors.isEmpty { saved.add { try quakes.insert([quakes.row("Quake")]).transaction ?? 0 } }
      }
    }
    #expect(saved.errors.allSatisfy { ($0 as? StoreError)?.code == .notOpen }, "\(saved.errors)")
    #expect(try QuakeStore(in: folder).count("Quake") == saved.values.count)
  }

  @Test func `a store can close while the writer lock is held`() throws {
    let quakes = try QuakeStore(in: folder)
    try quakes.insert([quakes.row("Quake")])
    let writerLock = try WriterLock(storePath: quakes.store.url.path)
    try writerLock.withLock(timeout: 1) { quakes.store.close() }
    #expect(try QuakeStore(in: folder).count("Quake") == 1)
  }
}
