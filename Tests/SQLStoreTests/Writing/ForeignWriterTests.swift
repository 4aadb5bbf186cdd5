import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine
import StrataSharing
import StrataTestSupport
import Testing

@testable import StrataSQLStore

/// Detection of foreign writers (invariant 4).
@Suite struct ForeignWriterTests {
  private let quakes: QuakeStore
  private let writerLock: WriterLock
  private let shell: Connection

  init() throws {
    var options = SQLStoreOptions.test
    options.keepsHistory = true
    quakes = try QuakeStore(in: TemporaryFolder(), options: options)
    writerLock = try WriterLock(storePath: quakes.store.path)
    shell = try Connection(path: quakes.store.path, mode: .readWrite, busyTimeout: 5)
  }

  private func commit() throws { try shell.run("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 1") }

  private func check(after earlier: CommitCount) throws -> (count: CommitCount, isForeign: Bool) {
    var count = try #require(try quakes.store.commitCount())
    let isForeign = count.goOn(from: earlier)
    return (count, isForeign)
  }

  @Test func `an unlisted commit is not foreign, however often the count is checked`() throws {
    let start = try #require(try quakes.store.commitCount())
    let last = try writerLock.withLock(timeout: 5) {
      writerLock.adjustUnlistedCount(by: 1)
      let first = try check(after: start)
      let second = try check(after: first.count)
      #expect(!first.isForeign && !second.isForeign)
      try commit()
      return second.count
    }
    let end = try check(after: last)
    #expect(!end.isForeign)
    try commit()
    #expect(try check(after: end.count).isForeign)
  }

  @Test func `the first count may be read during a write`() throws {
    let start = try writerLock.withLock(timeout: 5) {
      writerLock.adjustUnlistedCount(by: 1)
      let start = try #require(try quakes.store.commitCount())
      try commit()
      return start
    }
    #expect(!(try check(after: start).isForeign))
  }

  /// A writer may die between raising the count and its commit.
  @Test func `a raised count without a commit does not hide a foreign writer`() throws {
    let start = try #require(try quakes.store.commitCount())
    try writerLock.withLock(timeout: 5) { writerLock.adjustUnlistedCount(by: 1) }
    let free = try check(after: start)
    #expect(!free.isForeign)
    try commit()
    #expect(try check(after: free.count).isForeign)
  }

  @Test func `commits in the history hide neither unlisted nor foreign commits`() throws {
    func hasForeignCommit() throws -> Bool {
      try quakes.store.nextTransactions(after: quakes.store.newestTransaction(), limit: 10).hasForeignCommit
    }
    _ = try quakes.store.startFollowing()
    for number in 1...3 {
      try quakes.insert([quakes.row("Quake", ["magnitude": .double(Double(number))])])
      #expect(try !hasForeignCommit())
      try writerLock.withLock(timeout: 5) {
        writerLock.adjustUnlistedCount(by: 1)
        #expect(try !hasForeignCommit())
        try commit()
      }
      #expect(try !hasForeignCommit())
      try commit()
      try quakes.insert([quakes.row("Quake", ["magnitude": .double(Double(number))])])
      #expect(try hasForeignCommit())
    }
  }
}
