import StrataManagedModel
import StrataRowStore
import Testing

@Suite struct RowIDTests {
  @Test(arguments: [1, -1, 0, RowID.maximumKey, -RowID.maximumKey, -RowID.maximumKey - 1])
  func `a row ID preserves its store, entity and key`(_ key: Int64) {
    for (store, entity) in [(0, 1), (1, 1), (255, 4_095), (128, 2_048)] {
      let id = RowID(store: store, entity: entity, key: key)
      #expect(id.store == store)
      #expect(id.entity == entity)
      #expect(id.key == key)
      #expect(id.isTemporary == (key < 0))
      #expect(RowID(bits: id.bits) == id)
    }
  }

  @Test func `the none ID refers to no row`() {
    #expect(RowID.none.bits == 0)
    #expect(!RowID.none.isTemporary)
    #expect(RowID.none != RowID(store: 0, entity: 1, key: -1))
  }

  @Test func `temporary IDs are unique`() {
    let ids = (0..<1_000).map { _ in RowID.temporary(entity: 4_095) }
    #expect(Set(ids).count == 1_000)
    #expect(ids.allSatisfy { $0.isTemporary && $0.store == 0 && $0.entity == 4_095 && $0.key < 0 })
  }

  /// In a table that is two thirds full, a search passes fewer than three other rows on average.
  @Test(arguments: [1, 7, 8, 1_000, 4_096])
  func `hash table searches are short for any distance of the keys`(_ step: Int) {
    let rows = 100_000
    var taken = [Bool](repeating: false, count: rows * 3 / 2 / 8 * 8)
    var passed = 0
    for row in 1...rows {
      var bucket = RowID(store: 1, entity: 3, key: Int64(row * step)).firstBucket(in: taken.count)
      while taken[bucket] {
        passed += 1
        bucket = bucket + 1 == taken.count ? 0 : bucket + 1
      }
      taken[bucket] = true
    }
    #expect(passed < rows * 3, "\(passed) rows were passed for \(rows).")
  }
}
