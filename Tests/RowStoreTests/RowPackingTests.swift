import StrataManagedModel
import StrataRowStore
import Testing

/// Packing rows into pages.
@Suite struct RowPackingTests {
  private let layout = RowPageModel.everything

  private func slot(_ name: String) throws -> Int { try #require(layout.slot(named: name)) }

  private var allNil: [UInt64] { Array(repeating: .max, count: layout.nullWords) }

  /// Packs a row with one text and nil otherwise; returns nil if it did not fit.
  private func pack(_ key: Int64, _ text: String, into page: RowPage) throws -> Int? {
    let slot = try slot("text")
    guard var draft = page.draft() else { return nil }
    var nulls = allNil
    nulls[slot / 64] &= ~(1 << UInt64(slot % 64))
    nulls.withUnsafeBufferPointer { draft.begin(RowID(store: 1, entity: 1, key: key), version: 1, nulls: $0) }
    for other in layout.slots.indices { draft.setWord(0, slot: other) }
    var text = text
    text.withUTF8 { draft.setBytes($0.baseAddress, count: $0.count, slot: slot) }
    return draft.fits ? page.keep(draft) : nil
  }

  @Test func aPageTakesRowsUntilOneDoesNotFit() throws {
    let page = RowPage(packing: layout, size: PageMemory.blockSize)
    var texts: [String] = []
    while let row = try pack(Int64(texts.count + 1), String(repeating: "x", count: texts.count % 90), into: page) {
      #expect(row == texts.count)
      texts.append(String(repeating: "x", count: texts.count % 90))
    }
    #expect(page.count == texts.count && texts.count > 100)
    let slots = (text: try slot("text"), real: try slot("real"))
    for sealed in [false, true] {
      if sealed { page.seal() }
      for (index, text) in texts.enumerated() {
        let row = Row(page: page, index: index)
        #expect(row.id.key == Int64(index + 1))
        #expect(row[slots.text] == .string(text))
        #expect(row[slots.real] == .null)
      }
    }
  }

  @Test func aRowThatDidNotFitLeavesThePageAsItWas() throws {
    let page = RowPage(packing: layout, size: 2_048)
    #expect(try pack(1, "short", into: page) == 0)
    let used = page.heapBytes
    #expect(try pack(2, String(repeating: "y", count: 4_000), into: page) == nil)
    #expect(page.count == 1 && page.heapBytes == used)
    page.makeRoom(forHeap: used + 4_000)
    #expect(try pack(2, String(repeating: "y", count: 4_000), into: page) == 1)
    let text = try slot("text")
    #expect(Row(page: page, index: 0)[text] == .string("short"))
    #expect(Row(page: page, index: 1)[text] == .string(String(repeating: "y", count: 4_000)))
  }

  /// Allocates more blocks than a chunk has, each with its own contents.
  @Test func blocksAreOnePagesAloneUntilTheyAreGivenBack() throws {
    let text = try slot("text")
    for round in 0..<3 {
      var pages: [RowPage] = []
      for number in 0..<100 {
        let page = RowPage(packing: layout, size: PageMemory.blockSize)
        #expect(try pack(Int64(number + 1), "page \(number) of round \(round)", into: page) == 0)
        pages.append(page)
        if number % 3 == 2 { pages.remove(at: pages.count / 2) }
      }
      for page in pages {
        let row = Row(page: page, index: 0)
        #expect(row[text] == .string("page \(row.id.key - 1) of round \(round)"))
      }
    }
  }

  @Test(arguments: [1, 100, PageMemory.blockSize, 2_097_152, 3 * 2_097_152])
  func memoryOfATableIsZero(_ size: Int) {
    for _ in 0..<2 {
      let memory = PageMemory.allocateZeroed(size)
      let bytes = UnsafeMutableRawBufferPointer(start: memory, count: size)
      #expect(bytes.allSatisfy { $0 == 0 })
      bytes.initializeMemory(as: UInt8.self, repeating: 7)
      PageMemory.releaseZeroed(memory, size: size)
    }
  }
}
