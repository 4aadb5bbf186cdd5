import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine
import StrataSharing
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataSQLStore

/// Saves of several threads in one COMMIT.
@Suite struct CommitGroupTests {
  private let notes: QuakeStore
  private let other: WriterLock

  init() throws {
    let folder = try TemporaryFolder()
    var options = SQLStoreOptions.test
    options.keepsHistory = true
    notes = QuakeStore(
      try SQLStore(opening: folder.url("Notes.sqlite"), model: Self.model(), number: 1, options: options), in: folder)
    other = try WriterLock(storePath: notes.store.path)
  }

  private static func model() -> NSManagedObjectModel {
    makeModel(makeEntity("Note", unique: [["name"]], [attribute("name")]))
  }

  private func batch(_ name: String) -> ChangeBatch {
    var batch = ChangeBatch()
    batch.inserted = [notes.row("Note", ["name": .string(name)])]
    batch.author = name
    return batch
  }

  /// Makes saves on threads of their own, which another process's writer lock holds up until all are queued, in order.
  private func saveTogether(_ batches: [ChangeBatch]) throws -> [Result<CommitReceipt, any Error>] {
    let results = Mutex([Result<CommitReceipt, any Error>?](repeating: nil, count: batches.count))
    let ended = DispatchGroup()
    let writer = try #require(notes.store.writer)
    try other.withLock(timeout: 60) {
      for (index, batch) in batches.enumerated() {
        ended.enter()
        Thread.detachNewThread { [store = notes.store] in
          let result = Result { try store.commit(batch) }
          results.withLock { $0[index] = result }
          ended.leave()
        }
        while writer.queuedCommits <= index { usleep(100) }
      }
    }
    ended.wait()
    return results.withLock { $0.compactMap(\.self) }
  }

  private func logCommits() throws -> UInt32 { try #require(try notes.store.commitCount()).commits }

  private func names() throws -> [String?] { try notes.store.history(after: 0, limit: 0).map(\.author) }

  @Test func `queued saves share a commit, and each has its own transaction, in order`() throws {
    try notes.insert([notes.row("Note", ["name": .string("first")])], author: "first")
    let before = try logCommits()
    let saved = (0..<10).map { "\($0)" }
    let results = try saveTogether(saved.map(batch))
    #expect(try results.map { try $0.get().transaction } == (2...11).map(Int64.init))
    #expect(try logCommits() == before + 1)
    #expect(try names() == ["first"] + saved)
    #expect(try Set(results.map { try $0.get().inserted }).count == 10)
    #expect(try notes.count("Note") == 11)
    #expect(try notes.shell().value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test func `a longer queue is saved in groups of a limited size`() throws {
    let before = try logCommits()
    let count = 2 * CommitQueue.maximumGroup + 1
    let results = try saveTogether((0..<count).map { batch("\($0)") })
    #expect(try results.map { try $0.get().transaction } == (1...count).map(Int64.init))
    #expect(try logCommits() == before + 3)
  }

  @Test func `a save with a conflict fails alone`() throws {
    let known = try notes.insert([notes.row("Note", ["name": .string("known")])], author: "known").inserted[0]
    let row = try #require(try notes.stored(known))
    _ = try notes.store.commit(changing(row, to: "changed"))
    let results = try saveTogether([batch("a"), batch("changed"), changing(row, to: "b"), batch("a"), batch("c")])
    let codes = results.map { result -> StoreError.Code? in
      if case .failure(let error) = result { (error as? StoreError)?.code } else { nil }
    }
    #expect(codes == [nil, .constraint, .conflict, .constraint, nil])
    #expect(try names() == ["known", "change", "a", "c"])
    #expect(try notes.count("Note") == 3)
  }

  private func changing(_ row: Row, to name: String) -> ChangeBatch {
    var batch = ChangeBatch()
    batch.updated = [notes.update(row, "name", .string(name))]
    batch.author = "change"
    return batch
  }

  @Test func `saves that all fail leave no commit`() throws {
    try notes.insert([notes.row("Note", ["name": .string("known")])], author: "known")
    let before = try logCommits()
    let results = try saveTogether([batch("known"), batch("known")])
    #expect(results.allSatisfy { if case .failure = $0 { true } else { false } })
    #expect(try logCommits() == before && names() == ["known"])
  }

  /// The trigger ends the transaction, and with it the savepoint.
  @Test func `a save that ends the transaction does not take others along`() throws {
    try notes.shell().run(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON ZNOTE WHEN NEW.ZNAME = 'bad'
      BEGIN SELECT RAISE(ROLLBACK, 'refused'); END
      """)
    let results = try saveTogether(["a", "bad", "b"].map(batch))
    #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
    #expect(try names() == ["a", "b"] && notes.count("Note") == 2)
  }

  @Test func `the strings of a group that was rolled back are written again`() throws {
    try notes.shell().run(
      "CREATE TRIGGER refuse BEFORE INSERT ON ZNOTE WHEN NEW.ZNAME = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'refused'); END"
    )
    var batches = ["a", "b", "bad"].map(batch)
    for index in batches.indices { batches[index].author = "one author" }
    _ = try saveTogether(batches)
    try notes.insert([notes.row("Note", ["name": .string("c")])], author: "one author")
    #expect(try names() == ["one author", "one author", "one author"])
  }

  @Test func `a group hides no foreign commit, and is not taken for one`() throws {
    func hasForeignCommit() throws -> Bool {
      try notes.store.nextTransactions(after: notes.store.newestTransaction(), limit: 10).hasForeignCommit
    }
    _ = try notes.store.startFollowing()
    _ = try saveTogether((0..<9).map { batch("\($0)") })
    #expect(try !hasForeignCommit())
    _ = try saveTogether((0..<2).map { batch("a\($0)") })
    try notes.shell().run("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 1")
    #expect(try hasForeignCommit())
    #expect(try !hasForeignCommit())
  }

  @Test func `saves that do not get the lock time out, and later ones succeed`() throws {
    var options = notes.store.options
    options.timeout = 0.2
    let hasty = QuakeStore(
      try SQLStore(opening: notes.store.url, model: Self.model(), number: 2, options: options),
      in: notes.folder)
    let failures = Collected<String>()
    let ended = DispatchGroup()
    try other.withLock(timeout: 60) {
      for number in 0..<3 {
        ended.enter()
        Thread.detachNewThread {
          let error = #expect(throws: StoreError.self) {
            try hasty.insert([hasty.row("Note", ["name": .string("\(number)")])])
          }
          failures.add { error?.message ?? "" }
          ended.leave()
        }
      }
      ended.wait()
    }
    #expect(failures.values.count == 3 && failures.values.allSatisfy { $0.contains("within 0.2 s") })
    try hasty.insert([hasty.row("Note", ["name": .string("later")])])
    #expect(try notes.count("Note") == 1)
  }

  /// Counts transactions instead of time: a busy machine delays both sides.
  @Test func `another process waits for a bounded number of saves of 16 busy threads`() throws {
    let isEnded = Mutex(false)
    let ended = DispatchGroup()
    let errors = Collected<Void>()
    for thread in 0..<16 {
      ended.enter()
      Thread.detachNewThread { [self] in
        errors.add {
          var number = 0
          while !isEnded.withLock({ $0 }) {
            _ = try notes.store.commit(batch("\(thread) \(number)"))
            number += 1
          }
        }
        ended.leave()
      }
    }
    while try notes.store.newestTransaction() < 100 { usleep(1_000) }
    var waits: [Int64] = []
    for _ in 0..<21 {
      let start = try notes.store.newestTransaction()
      let end = try other.withLock(timeout: 60) { try notes.store.newestTransaction() }
      waits.append(end - start)
    }
    isEnded.withLock { $0 = true }
    ended.wait()
    #expect(errors.errors.isEmpty, "\(errors.errors)")
    // At most the group that has the lock and the one that requested it earlier. This thread may be suspended between reading
    // the number and requesting the lock, but not most times.
    #expect(waits.sorted()[waits.count / 2] <= 2 * Int64(CommitQueue.maximumGroup), "\(waits) transactions")
    let count = try notes.count("Note")
    #expect(try notes.store.history(after: 0, limit: 0).map(\.number) == (1...count).map(Int64.init))
  }
}
