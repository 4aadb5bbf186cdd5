import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Pages while rows come in: one open page an entity, the first one small, then blocks.
struct PageFiller {
  /// Rows of the first page where nobody knows how many come.
  private static let firstRows = 32

  private let expected: Int?
  private(set) var pages: [RowPage] = []
  /// The rows in the order in which they came: page (high 32 bits) and index; empty while they follow the pages.
  private var order: [UInt64] = []
  private var entities = 0
  private var openNumber: Int?
  private(set) var openIndex = 0
  /// Where the page that is not full lies, of entities whose rows are mixed with others'.
  private var others: [Int: Int] = [:]

  /// - Parameter expected: the most rows that can come, if that is known; small answers get small pages.
  init(expected: Int?) { self.expected = expected }

  /// Whether the rows that came are in more than one entity's pages, so that `note` must be told of each.
  var isMixed: Bool { entities > 1 }

  /// The page where the next row of an entity goes.
  mutating func open(_ reading: RowReading, number: Int) -> RowPage {
    if let openNumber { others[openNumber] = openIndex }
    openNumber = number
    if let index = others[number] {
      openIndex = index
      return pages[index]
    }
    entities += 1
    if entities == 2 { order = places() }
    let rows = max(1, expected ?? Self.firstRows)
    // A limit may be more than there is memory.
    let (size, overflows) = rows.multipliedReportingOverflow(by: reading.usualSize)
    return add(
      RowPage(packing: reading.layout, size: overflows ? PageMemory.blockSize : min(PageMemory.blockSize, size)))
  }

  /// Another page in the place of the open one, which is full.
  mutating func next(after page: RowPage) -> RowPage {
    add(RowPage(packing: page.layout, size: PageMemory.blockSize))
  }

  private mutating func add(_ page: RowPage) -> RowPage {
    openIndex = pages.count
    // Most answers are of one page: an array that is made with it costs half of one that grows.
    if pages.isEmpty { pages = [page] } else { pages.append(page) }
    return page
  }

  /// Remembers that the row at an index of the open page came next.
  mutating func note(_ row: Int) { order.append(UInt64(openIndex) << 32 | UInt64(row)) }

  /// The rows in the order in which they came.
  func places() -> [UInt64] {
    guard order.isEmpty else { return order }
    return pages.enumerated().flatMap { index, page in (0..<page.count).map { UInt64(index) << 32 | UInt64($0) } }
  }

  /// - Parameter sorted: the rows in the order in which they are wanted, if that is not the one in which they came.
  mutating func finish(sorted: [UInt64]?) -> RowList {
    if openIndex < pages.count { pages[openIndex].seal() }
    if isMixed { for index in others.values { pages[index].seal() } }
    return RowList(pages: pages, order: sorted ?? (isMixed ? order : nil))
  }
}
