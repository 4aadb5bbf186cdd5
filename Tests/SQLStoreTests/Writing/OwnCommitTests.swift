import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

@testable import StrataSQLStore

/// Telling own commits from those of others without reading.
@Suite struct OwnCommitTests {
  private let quakes: QuakeStore

  init() throws {
    var options = SQLStoreOptions.test
    options.keepsHistory = true
    quakes = try QuakeStore(in: TemporaryFolder(), options: options)
  }

  private func origin() throws -> CommitOrigin { try #require(quakes.store.commitOrigin) }

  private func insert(into quakes: QuakeStore) throws { try quakes.insert([quakes.row("Quake")]) }

  @Test func `a commit is the newest until another connection commits`() throws {
    #expect(try !origin().isNewestOwn)
    try insert(into: quakes)
    let first = try origin()
    #expect(first.isNewestOwn)
    try insert(into: quakes)
    #expect(try origin().isNewestOwn && origin().others == first.others)
    try quakes.shell().run("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 1")
    #expect(try !origin().isNewestOwn)
  }

  @Test func `a commit of another store that a later own one hides is counted`() throws {
    let other = try QuakeStore(in: quakes.folder, number: 2, options: quakes.store.options)
    try insert(into: quakes)
    let first = try origin()
    try insert(into: other)
    try insert(into: quakes)
    let second = try origin()
    #expect(second.isNewestOwn && second.others > first.others)
    try quakes.shell().run("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 1")
    try insert(into: quakes)
    #expect(try origin().isNewestOwn && origin().others > second.others)
  }

  @Test func `a failed save and a checkpoint leave the newest commit one's own`() throws {
    try quakes.insert([quakes.row("Region", ["name": .string("Tonga")])])
    let first = try origin()
    #expect(throws: StoreError.self) { try quakes.insert([quakes.row("Region", ["name": .string("Tonga")])]) }
    #expect(try origin().isNewestOwn && origin().others == first.others)
    try quakes.shell().run("PRAGMA wal_checkpoint(PASSIVE)")
    try insert(into: quakes)
    #expect(try origin().isNewestOwn && origin().others == first.others)
  }

  @Test func `a closed store does not claim the newest commit`() throws {
    try insert(into: quakes)
    quakes.store.close()
    #expect(quakes.store.commitOrigin?.isNewestOwn != true)
  }
}
