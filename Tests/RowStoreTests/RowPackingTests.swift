import StrataManagedModel
import StrataRowStore
import StrataTestSupport
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

  @Test func `a page accepts rows until one does not fit`() throws {
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

  @Test func `a row that does not fit leaves the page unchanged`() throws {
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

  /// Packs a row with a text as a fetch does.
  private func pack(_ text: String, into page: RowPage, among recent: RecentTexts) throws -> Bool {
    let slot = try slot("text")
    guard var draft = page.draft() else { return false }
    var nulls = allNil
    nulls[slot / 64] &= ~(1 << UInt64(slot % 64))
    let id = RowID(store: 1, entity: layout.number, key: Int64(page.count + 1))
    nulls.withUnsafeBufferPointer { draft.begin(id, version: 1, nulls: $0) }
    for other in layout.slots.indices { draft.setWord(0, slot: other) }
    var text = text
    text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return draft.setBytes(nil, count: 0, slot: slot) }
      draft.setText(start, count: bytes.count, slot: slot, among: recent.entries)
    }
    if draft.fits { _ = page.keep(draft) }
    return draft.fits
  }

  @Test func `repeated texts share their bytes on a page`() throws {
    let page = RowPage(packing: layout, size: PageMemory.blockSize)
    let recent = RecentTexts()
    let repeated = ["reviewed", "automatic", "us", "quarry blast", String(repeating: "long", count: 15)]
    let texts = (0..<200).map { $0 % 2 == 0 ? repeated[$0 / 2 % repeated.count] : "quake \($0)" }
    for text in texts { #expect(try pack(text, into: page, among: recent)) }
    page.checkInvariants()
    let slot = try slot("text")
    #expect(texts.indices.allSatisfy { Row(page: page, index: $0)[slot] == .string(texts[$0]) })
    // Each unique text may evict a repeated one from the table.
    let once = Set(texts).reduce(0) { $0 + $1.utf8.count }
    #expect(page.heapBytes <= once + 3 * repeated.joined().utf8.count)
  }

  /// Uses few texts of all lengths, equal at both ends, on pages that fill up in the middle of a row.
  @Test func `texts that share bytes are read back unchanged`() throws {
    var random = SeededRandom(seed: 3)
    let recent = RecentTexts()
    let slot = try slot("text")
    for _ in 0..<20 {
      let page = RowPage(packing: layout, size: Int.random(in: 16_384...PageMemory.blockSize, using: &random))
      var texts: [String] = []
      while true {
        let letter = ["a", "b"].randomElement(using: &random) ?? ""
        let middle = String(repeating: letter, count: .random(in: 0...60, using: &random))
        let text = [middle, "start678" + middle + "end45678"].randomElement(using: &random) ?? ""
        guard try pack(text, into: page, among: recent) else { break }
        texts.append(text)
      }
      page.checkInvariants()
      page.seal()
      #expect(page.count == texts.count)
      #expect(texts.indices.allSatisfy { Row(page: page, index: $0)[slot] == .string(texts[$0]) })
    }
  }

  @Test func `overwriting a text does not change texts that share its bytes`() throws {
    let page = RowPage(packing: layout, size: PageMemory.blockSize)
    let recent = RecentTexts()
    for _ in 0..<3 { #expect(try pack("reviewed", into: page, among: recent)) }
    let slot = try slot("text")
    Row(page: page, index: 1).set(slot: slot, to: .string("deleted"))
    let texts = (0..<3).map { Row(page: page, index: $0)[slot] }
    #expect(texts == [.string("reviewed"), .string("deleted"), .string("reviewed")])
  }

  /// Allocates more blocks than a chunk has, each with its own contents.
  @Test func `a block belongs to one page until it is freed`() throws {
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

  @Test(arguments: [1, 100, PageMemory.blockSize, 1_200_000, 2_097_152, 2_097_153, 5_000_000, 3 * 2_097_152])
  func `allocated table memory is zeroed`(_ size: Int) {
    for _ in 0..<2 {
      let memory = PageMemory.allocateZeroed(size)
      let bytes = UnsafeMutableRawBufferPointer(start: memory, count: size)
      #expect(bytes.allSatisfy { $0 == 0 })
      bytes.initializeMemory(as: UInt8.self, repeating: 7)
      PageMemory.releaseZeroed(memory, size: size)
    }
  }
}
