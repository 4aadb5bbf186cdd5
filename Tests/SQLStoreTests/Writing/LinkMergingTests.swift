import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

@testable import StrataSQLStore

/// Updates of links that may be applied to a newer version of the row.
@Suite struct LinkMergingTests {
  private let quakes: QuakeStore
  private let region: Row

  init() throws {
    var options = SQLStoreOptions.test
    options.keepsHistory = true
    quakes = try QuakeStore(in: TemporaryFolder(), options: options)
    let id = try quakes.insert([quakes.row("Region", ["name": .string("Tonga")])]).inserted[0]
    region = try #require(try quakes.stored(id))
  }

  private func batch(allowsNewerVersion: Bool = true) -> ChangeBatch {
    var batch = ChangeBatch()
    batch.updated = [RowUpdate(row: region, slots: [0], toMany: [0], allowsNewerVersion: allowsNewerVersion)]
    return batch
  }

  private func rename(_ name: String) throws {
    var batch = ChangeBatch()
    let current = try #require(try quakes.stored(region.id))
    batch.updated = [quakes.update(current, "name", .string(name))]
    _ = try quakes.store.commit(batch)
  }

  @Test func `links are merged into a newer version, and the receipt has the row`() throws {
    try rename("Fiji")
    try rename("Samoa")
    let receipt = try quakes.store.commit(batch())
    #expect(receipt.updatedVersions == [region.version + 3])
    #expect(receipt.triggered == [region.id] && receipt.triggeredRows.rows.map(\.version) == [region.version + 3])
    let stored = try #require(try quakes.stored(region.id))
    #expect(stored.version == region.version + 3)
    #expect(try quakes.value(region.id, "name") == .string("Samoa"))
    let history = try quakes.store.history(after: 0, limit: 0)
    #expect(history.last?.changes.map(\.kind) == [.update])
  }

  @Test func `the receipt does not have a row that others have not changed`() throws {
    let receipt = try quakes.store.commit(batch())
    #expect(receipt.updatedVersions == [region.version + 1] && receipt.triggered.isEmpty)
  }

  @Test func `without permission, and for a deleted row, there is a conflict`() throws {
    try rename("Fiji")
    let first = #expect(throws: StoreError.self) { try quakes.store.commit(batch(allowsNewerVersion: false)) }
    #expect(first?.code == .conflict && first?.conflicts.first?.stored?.version == region.version + 1)
    var deletion = ChangeBatch()
    deletion.deleted = [RowDeletion(id: region.id, version: nil)]
    _ = try quakes.store.commit(deletion)
    let second = #expect(throws: StoreError.self) { try quakes.store.commit(batch()) }
    #expect(second?.code == .conflict && second?.conflicts.first?.stored == nil)
  }

  @Test func `another conflict of the batch undoes merged links`() throws {
    try rename("Fiji")
    var both = batch()
    both.inserted = [quakes.row("Region", ["name": .string("Fiji")])]
    let error = #expect(throws: StoreError.self) { try quakes.store.commit(both) }
    #expect(error?.code == .constraint)
    #expect(try quakes.stored(region.id)?.version == region.version + 1)
  }
}
