import Foundation
import StrataManagedModel
import StrataRowStore
import StrataTestSupport
import Testing

@Suite struct RowPageTests {
  private let layout = RowPageModel.everything

  private func slot(_ name: String) throws -> Int { try #require(layout.slot(named: name)) }

  private func makeRow(capacity: Int = 1) -> Row {
    let page = RowPage(layout: layout, capacity: capacity)
    return Row(page: page, index: page.append(id: RowID(store: 1, entity: layout.number, key: 7), version: 3))
  }

  @Test func `a new row has only nil values`() {
    let row = makeRow()
    #expect(row.id == RowID(store: 1, entity: layout.number, key: 7))
    #expect(row.version == 3)
    for slot in layout.slots.indices {
      #expect(row[slot] == .null)
      #expect(row.predicateValue(slot) == .null)
      #expect(row.page.word(row: row.index, slot: slot) == 0)
    }
  }

  @Test func `every kind of value is stored and can become nil`() {
    var random = SeededRandom(seed: 1)
    let row = makeRow()
    for (slot, property) in layout.slots.enumerated() {
      let value = RowPageModel.value(of: property.kind, &random)
      row.set(slot: slot, to: value)
      #expect(row[slot] == value, "\(property.name)")
    }
    for slot in layout.slots.indices {
      row.set(slot: slot, to: .null)
      #expect(row[slot] == .null)
    }
  }

  @Test func `copies in pages are equal and independent`() {
    var random = SeededRandom(seed: 2)
    let row = makeRow(capacity: 2)
    for (slot, property) in layout.slots.enumerated() where slot % 3 != 0 {
      row.set(slot: slot, to: RowPageModel.value(of: property.kind, &random))
    }
    let other = RowPage(layout: layout, capacity: 1)
    // The row's own heap moves while it receives the copy.
    let copies = [row.page, other].map { Row(page: $0, index: $0.append(copyOf: row.page, row.index)) }
    for slot in layout.slots.indices {
      let value = row[slot]
      row.set(slot: slot, to: .null)
      for copy in copies { #expect(copy[slot] == value) }
    }
    #expect(copies.allSatisfy { $0.id == row.id && $0.version == row.version })
  }

  @Test func `setting a slot to nil does not change the others`() {
    let page = RowPage(layout: RowPageModel.wide, capacity: 1)
    let row = Row(page: page, index: page.append(id: RowID(store: 1, entity: 2, key: 1), version: 1))
    for slot in 0..<130 { row.set(slot: slot, to: .string("\(slot)")) }
    for slot in [0, 63, 64, 127, 128, 129] { row.set(slot: slot, to: .null) }
    for slot in 0..<130 {
      #expect(row[slot] == ([0, 63, 64, 127, 128, 129].contains(slot) ? .null : .string("\(slot)")))
    }
  }

  @Test func `a shorter text overwrites the old bytes, a longer one is appended`() throws {
    let row = makeRow()
    let text = try slot("text")
    let link = try slot("link")
    row.set(slot: text, to: .string("twelve bytes"))
    row.set(slot: link, to: .uri("https://example.org"))
    let used = row.page.heapBytes
    row.set(slot: text, to: .string("short"))
    #expect(row[text] == .string("short"))
    #expect(row.page.heapBytes == used)
    row.set(slot: text, to: .string("longer than it was at first"))
    #expect(row[text] == .string("longer than it was at first"))
    #expect(row.page.heapBytes == used + 27)
    #expect(row[link] == .uri("https://example.org"))
  }

  @Test func `empty text and data are not nil`() throws {
    let row = makeRow()
    row.set(slot: try slot("text"), to: .string(""))
    row.set(slot: try slot("bytes"), to: .data([]))
    #expect(row[try slot("text")] == .string(""))
    #expect(row[try slot("bytes")] == .data([]))
  }

  @Test func `the none ID is stored as nil`() throws {
    let row = makeRow()
    let other = try slot("other")
    row.set(slot: other, to: .reference(RowID(store: 255, entity: 4_095, key: RowID.maximumKey)))
    #expect(row[other] == .reference(RowID(store: 255, entity: 4_095, key: RowID.maximumKey)))
    row.page.setReference(.none, row: row.index, slot: other)
    #expect(row[other] == .null)
    #expect(row.page.reference(row: row.index, slot: other) == .none)
  }

  @Test func `the heap grows, and sealing keeps the values`() throws {
    let text = try slot("text")
    let page = RowPage(layout: layout, capacity: 300, heapCapacity: 10)
    for key in 0..<300 {
      let row = Row(page: page, index: page.append(id: RowID(store: 1, entity: 1, key: Int64(key + 1)), version: 1))
      row.set(slot: text, to: .string(String(repeating: "x", count: key)))
    }
    #expect(page.isFull)
    page.seal()
    page.seal()
    for key in 0..<300 {
      #expect(Row(page: page, index: key)[text] == .string(String(repeating: "x", count: key)))
    }
    #expect(page.heapBytes == 299 * 300 / 2)
  }

  @Test func `a copy is independent`() {
    var random = SeededRandom(seed: 2)
    let row = makeRow()
    for (slot, property) in layout.slots.enumerated() where slot % 3 != 0 {
      row.set(slot: slot, to: RowPageModel.value(of: property.kind, &random))
    }
    let copy = row.copy()
    #expect(copy.id == row.id && copy.version == row.version && copy.page !== row.page)
    for slot in layout.slots.indices { #expect(copy[slot] == row[slot]) }
    let values = layout.slots.indices.map { copy[$0] }
    for slot in layout.slots.indices { row.set(slot: slot, to: .null) }
    #expect(layout.slots.indices.map { copy[$0] } == values)
  }

  @Test func `equal slots on different pages are equal`() throws {
    let text = try slot("text")
    let real = try slot("real")
    let (left, right) = (makeRow(), makeRow())
    right.set(slot: try slot("bytes"), to: .data([1, 2, 3]))
    func isEqual(_ slot: Int) -> Bool {
      left.page.isEqual(row: left.index, slot: slot, to: right.page, row: right.index)
    }
    #expect(isEqual(text) && isEqual(real))
    left.set(slot: text, to: .string("a"))
    #expect(!isEqual(text))
    right.set(slot: text, to: .string("a"))
    #expect(isEqual(text))
    right.set(slot: text, to: .string("b"))
    #expect(!isEqual(text))
    left.set(slot: real, to: .double(0))
    #expect(!isEqual(real))
    right.set(slot: real, to: .double(0))
    #expect(isEqual(real))
  }

  @Test func `a removed row makes room for another`() {
    let page = RowPage(layout: layout, capacity: 1)
    _ = page.append(id: RowID(store: 1, entity: 1, key: 1), version: 1)
    page.removeLast()
    #expect(page.count == 0 && !page.isFull)
    #expect(page.append(id: RowID(store: 1, entity: 1, key: 2), version: 1) == 0)
  }

  @Test func `lists return rows in their order`() {
    let pages = (0..<2).map { number in
      let page = RowPage(layout: layout, capacity: 2)
      for key in 1...2 {
        _ = page.append(id: RowID(store: 1, entity: 1, key: Int64(number * 10 + key)), version: 1)
      }
      return page
    }
    #expect(RowList(pages: pages).rows.map(\.id.key) == [1, 2, 11, 12])
    let list = RowList(pages: pages, order: [1 << 32 | 1, 0, 1 << 32])
    #expect(list.count == 3)
    #expect(list.rows.map(\.id.key) == [12, 1, 11])
  }

  /// Applies the same operations to a page and to nested arrays, and compares everything after each.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `a page behaves like nested arrays`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let page = RowPage(layout: layout, capacity: 12)
    var expected: [[SlotValue]] = []
    for step in 0..<600 {
      if expected.isEmpty || (expected.count < 12 && Int.random(in: 0..<40, using: &random) == 0) {
        _ = page.append(id: RowID(store: 1, entity: 1, key: Int64(expected.count + 1)), version: 1)
        expected.append(Array(repeating: .null, count: layout.slots.count))
      }
      let row = Int.random(in: expected.indices, using: &random)
      let slot = Int.random(in: layout.slots.indices, using: &random)
      let isNil = Int.random(in: 0..<5, using: &random) == 0
      let value = isNil ? .null : RowPageModel.value(of: layout.slots[slot].kind, &random)
      Row(page: page, index: row).set(slot: slot, to: value)
      expected[row][slot] = value
      if step % 97 == 0 { page.seal() }
      page.checkInvariants()
      for (index, values) in expected.enumerated() where index == row || step % 50 == 0 {
        #expect(layout.slots.indices.map { Row(page: page, index: index)[$0] } == values, "seed \(seed), step \(step)")
      }
    }
  }
}
