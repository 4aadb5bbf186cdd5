import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine
import StrataSharing
import StrataTestSupport
import Testing

@testable import StrataSQLStore

/// What is recognised as a foreign writer, and what is not (invariant 4).
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

  private func look(after earlier: CommitCount) throws -> (count: CommitCount, isForeign: Bool) {
    var count = try #require(try quakes.store.commitCount())
    let isForeign = count.goOn(from: earlier)
    return (count, isForeign)
  }

  @Test func commitThatWasAnnouncedIsAwaitedHoweverOftenItIsLookedFor() throws {
    let start = try #require(try quakes.store.commitCount())
    let last = try writerLock.withLock(deadline: 5) {
      writerLock.announceUnlisted()
      let first = try look(after: start)
      let second = try look(after: first.count)
      #expect(!first.isForeign && !second.isForeign)
      try commit()
      return second.count
    }
    let end = try look(after: last)
    #expect(!end.isForeign)
    try commit()
    #expect(try look(after: end.count).isForeign)
  }

  @Test func firstCountMayBeTakenWhileSomebodyWrites() throws {
    let start = try writerLock.withLock(deadline: 5) {
      writerLock.announceUnlisted()
      let start = try #require(try quakes.store.commitCount())
      try commit()
      return start
    }
    #expect(!(try look(after: start).isForeign))
  }

  /// A writer that dies between announcement and commit hides no foreign writer.
  @Test func commitThatNeverCameIsNotAwaited() throws {
    let start = try #require(try quakes.store.commitCount())
    try writerLock.withLock(deadline: 5) { writerLock.announceUnlisted() }
    let free = try look(after: start)
    #expect(!free.isForeign)
    try commit()
    #expect(try look(after: free.count).isForeign)
  }

  /// What was announced is asked for only when the history does not explain all commits; it counts then.
  @Test func commitsInTheHistoryHideNeitherAnnouncedNorForeignOnes() throws {
    func hasForeignCommit() throws -> Bool {
      try quakes.store.news(after: quakes.store.newestTransaction(), limit: 10).hasForeignCommit
    }
    _ = try quakes.store.startNews()
    for number in 1...3 {
      try quakes.insert([quakes.row("Quake", ["magnitude": .double(Double(number))])])
      #expect(try !hasForeignCommit())
      try writerLock.withLock(deadline: 5) {
        writerLock.announceUnlisted()
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
