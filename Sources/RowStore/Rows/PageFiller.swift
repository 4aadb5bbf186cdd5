import StrataManagedModel

/// The pages that incoming rows fill: one open page per entity; the first page is small, later ones are whole blocks.
@usableFromInline
package struct PageFiller {
  /// The capacity of the first page, in rows, if the number of rows is unknown.
  private static let firstRows = 32

  private let expected: Int?
  package private(set) var pages: [RowPage] = []
  /// The rows in arrival order, as page (high 32 bits) and index; empty while that is simply page order.
  @usableFromInline var order: [UInt64] = []
  @usableFromInline var entities = 0
  private var openNumber: Int?
  @usableFromInline package internal(set) var openIndex = 0
  /// The index of each other entity's page that is not full yet.
  private var others: [Int: Int] = [:]

  /// - Parameter expected: the maximum number of rows, if known; small results get small pages.
  package init(expected: Int?) { self.expected = expected }

  /// Whether rows of more than one entity arrived, so that `note` must be called for each row.
  @inlinable package var isMixed: Bool { entities > 1 }

  /// The page for an entity's next row.
  package mutating func open(_ reading: RowReading, number: Int) -> RowPage {
    if let openNumber { others[openNumber] = openIndex }
    openNumber = number
    if let index = others[number] {
      openIndex = index
      return pages[index]
    }
    entities += 1
    if entities == 2 { order = positions() }
    let rows = max(1, expected ?? Self.firstRows)
    // A fetch limit may exceed any memory.
    let (size, overflows) = rows.multipliedReportingOverflow(by: reading.usualSize)
    return add(
      RowPage(packing: reading.layout, size: overflows ? PageMemory.blockSize : min(PageMemory.blockSize, size)))
  }

  /// Replaces the open page, which is full, with a new one.
  package mutating func next(after page: RowPage) -> RowPage {
    add(RowPage(packing: page.layout, size: PageMemory.blockSize))
  }

  private mutating func add(_ page: RowPage) -> RowPage {
    openIndex = pages.count
    // Most results have one page: creating the array with it costs half of appending.
    if pages.isEmpty { pages = [page] } else { pages.append(page) }
    return page
  }

  /// Records that the next row in arrival order is at an index of the open page.
  @inlinable package mutating func note(_ row: Int) { order.append(UInt64(openIndex) << 32 | UInt64(row)) }

  /// The rows in arrival order.
  package func positions() -> [UInt64] {
    guard order.isEmpty else { return order }
    return pages.enumerated().flatMap { index, page in (0..<page.count).map { UInt64(index) << 32 | UInt64($0) } }
  }

  /// - Parameter sorted: the rows in the requested order, if that differs from arrival order.
  package mutating func finish(sorted: [UInt64]?) -> RowList {
    if openIndex < pages.count { pages[openIndex].seal() }
    if isMixed { for index in others.values { pages[index].seal() } }
    return RowList(pages: pages, order: sorted ?? (isMixed ? order : nil))
  }
}
