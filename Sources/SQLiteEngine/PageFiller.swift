import ManagedModel
import RowStore

/// Pages while rows come in: one open page an entity, the first one small, then 256 rows each.
struct PageFiller {
  /// Rows of a full page: enough that its cost is spread thin, few enough that one survivor keeps little memory.
  private static let fullPage = 256
  private static let firstPage = 32

  private let firstCapacity: Int
  private var pages: [RowPage] = []
  private var order: [UInt64] = []
  private var entities = 0
  private var open: RowPage?
  private var openNumber = -1
  private var openIndex = 0
  /// Where the page that is not full lies, of entities whose rows are mixed with others'.
  private var others: [Int: Int] = [:]

  init(expected: Int?) {
    firstCapacity = Swift.max(1, Swift.min(expected ?? Self.firstPage, Self.fullPage))
  }

  /// The page where the next row of an entity goes.
  @inline(__always)
  mutating func page(for layout: EntityLayout, number: Int) -> RowPage {
    if number != openNumber || open?.isFull != false { turn(to: layout, number: number) }
    if entities > 1 { order.append(UInt64(openIndex) << 32 | UInt64(pages[openIndex].count)) }
    return open.unsafelyUnwrapped
  }

  private mutating func turn(to layout: EntityLayout, number: Int) {
    if number != openNumber { change(to: number) }
    if let page = open, page.isFull {
      page.seal()
      add(RowPage(layout: layout, capacity: Self.fullPage, heapCapacity: heap(after: page)))
    } else if open == nil {
      add(RowPage(layout: layout, capacity: firstCapacity))
    }
  }

  private mutating func add(_ page: RowPage) {
    openIndex = pages.count
    pages.append(page)
    open = page
  }

  private mutating func change(to number: Int) {
    if openNumber >= 0 { others[openNumber] = openIndex }
    openNumber = number
    if let index = others[number] {
      openIndex = index
      open = pages[index]
      return
    }
    open = nil
    entities += 1
    if entities == 2 { startOrder() }
  }

  /// Until now the rows followed the pages.
  private mutating func startOrder() {
    for (index, page) in pages.enumerated() {
      for row in 0..<page.count { order.append(UInt64(index) << 32 | UInt64(row)) }
    }
  }

  private func heap(after page: RowPage) -> Int {
    page.heapBytes / Swift.max(1, page.count) * Self.fullPage * 9 / 8
  }

  mutating func finish() -> RowList {
    for page in pages where !page.isFull || page === open { page.seal() }
    return RowList(pages: pages, order: entities > 1 ? order : nil)
  }
}
