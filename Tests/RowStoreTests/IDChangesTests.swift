import StrataRowStore
import StrataTestSupport
import Testing

@Suite struct IDChangesTests {
  @Test func `a lookup finds changed IDs only`() {
    var changes = IDChanges()
    #expect(changes.isEmpty && changes[.temporary(entity: 1)] == nil)
    let old = (0..<1_000).map { _ in RowID.temporary(entity: 7) }
    for (index, id) in old.enumerated() { changes.set(id, to: RowID(store: 1, entity: 7, key: Int64(index + 1))) }
    #expect(changes.count == 1_000)
    changes.checkInvariants()
    for (index, id) in old.enumerated() { #expect(changes[id]?.key == Int64(index + 1)) }
    #expect(changes[.temporary(entity: 7)] == nil && changes[RowID(store: 1, entity: 7, key: 1)] == nil)
  }

  @Test func `the last change of an ID wins`() {
    var changes = IDChanges(capacity: 1)
    let (old, first, last) = (RowID(store: 1, entity: 2, key: 3), RowID(store: 1, entity: 2, key: 4), RowID(bits: 5))
    changes.set(old, to: first)
    changes.set(old, to: last)
    #expect(changes.count == 1 && changes[old] == last)
  }

  @Test func `a single change is still found after another is added`() {
    var changes = IDChanges()
    let (old, new) = (RowID.temporary(entity: 1), RowID(store: 1, entity: 1, key: 1))
    changes.set(old, to: new)
    #expect(changes[old] == new && changes[.temporary(entity: 1)] == nil)
    var visited: [RowID: RowID] = [:]
    changes.forEach { visited[$0] = $1 }
    #expect(visited == [old: new])
    let (other, last) = (RowID.temporary(entity: 1), RowID(store: 1, entity: 1, key: 2))
    changes.set(other, to: last)
    #expect(changes.count == 2 && changes[old] == new && changes[other] == last)
  }

  @Test func `IDs with the same key in different stores stay separate`() {
    var changes = IDChanges(capacity: 16)
    let ids = (1...9).map { RowID(store: $0, entity: $0, key: 64) }
    for id in ids { changes.set(id, to: RowID(store: 1, entity: 1, key: Int64(id.store))) }
    var seen = 0
    changes.forEach { old, new in
      seen += 1
      #expect(new.key == Int64(old.store))
    }
    #expect(seen == 9)
  }

  @Test(arguments: 1...50) func `any order of changes gives the same map as a dictionary`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var changes = IDChanges(capacity: Int.random(in: 0...3, using: &random) * 20)
    var expected: [RowID: RowID] = [:]
    var (old, new): (Int64, Int64) = (-1, 1)
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      // Mostly consecutive, as IDs of one save are; sometimes a gap, another entity, or an ID once more.
      let choice = Int.random(in: 0..<40, using: &random)
      if choice == 0 { old -= Int64.random(in: -3...3, using: &random) }
      if choice == 1 { new += Int64.random(in: 1...3, using: &random) }
      let (key, value) = (
        RowID(store: 0, entity: choice == 2 ? 2 : 1, key: old), RowID(store: 1, entity: 1, key: new)
      )
      changes.set(key, to: value)
      expected[key] = value
      (old, new) = (old - 1, new + 1)
    }
    changes.checkInvariants()
    var visited: [RowID: RowID] = [:]
    changes.forEach { visited[$0] = $1 }
    #expect(visited == expected && changes.count == expected.count)
    for key in -70...10 {
      for entity in 1...2 {
        let id = RowID(store: 0, entity: entity, key: Int64(key))
        #expect(changes[id] == expected[id])
      }
    }
  }
}
