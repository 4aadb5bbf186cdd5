import StrataManagedModel

/// The pages that incoming rows fill: one open page per entity; the first page is small, later ones are whole blocks.
///
/// A store's reader packs each row into `page`, as `reading` says, and asks for the next page when one is full.
@usableFromInline
package struct PageFiller {
  /// The capacity of the first page, in rows, if the number of rows is unknown.
  private static let firstRows = 32

  private let shape: RowShape
  private let expected: Int?
  /// The store's path or address, for errors.
  private let location: String
  private var pages: [RowPage] = []
  /// The rows in arrival order, as page (high 32 bits) and index; empty while that is simply page order.
  @usableFromInline var order: [UInt64] = []
  @usableFromInline var entities = 0
  @usableFromInline var openIndex = 0
  /// The index of each other entity's page that is not full yet.
  private var others: [Int: Int] = [:]
  /// The last row's Z_ENT, the way its rows are read, and its page; `shape` and `pages` retain the latter two. `page` is nil
  /// before the first row; no entity number could say that, since a damaged row may have any.
  package private(set) var number = 0
  package private(set) var reading: Unmanaged<RowReading>?
  package private(set) var page: Unmanaged<RowPage>?
  /// The table of the recent texts, retained by `texts`; nil while the open page is too small for one.
  package private(set) var recentTexts: UnsafeMutablePointer<UInt64>?
  private var texts: RecentTexts?
  @usableFromInline var lastKey = Int64.min
  @usableFromInline var isInOrderOfKeys = true

  /// - Parameters:
  ///   - expected: the maximum number of rows, if known; small results get small pages.
  ///   - location: the store's path or address.
  package init(shape: RowShape, expected: Int?, location: String) {
    (self.shape, self.expected, self.location) = (shape, expected, location)
  }

  /// Returned instead of a row's index if the row did not fit and the next page has to be tried.
  @inlinable package static var noRoom: Int { -1 }

  /// Opens the page for the next row of an entity.
  /// - Throws: `.corrupt` if no row of the entity belongs in the table.
  package mutating func open(_ entity: Int) throws {
    guard let reading = shape.reading(ofStored: entity) else {
      throw StoreError(
        .corrupt, "The store '\(location)' has a row of entity number \(entity), which does not belong in its table.")
    }
    if page != nil { others[number] = openIndex }
    number = entity
    self.reading = Unmanaged.passUnretained(reading)
    if let index = others[entity] {
      openIndex = index
      return use(pages[index])
    }
    entities += 1
    if entities == 2 { order = positions() }
    let rows = max(1, expected ?? Self.firstRows)
    // A fetch limit may exceed any memory.
    let (size, overflows) = rows.multipliedReportingOverflow(by: reading.estimatedSize)
    add(RowPage(packing: reading.layout, size: overflows ? PageMemory.blockSize : min(PageMemory.blockSize, size)))
  }

  /// Makes room for a row that did not fit: opens the next page, or enlarges an empty one for a row larger than a page.
  /// - Parameter heapBytes: the known part of the heap bytes that the row needs.
  /// - Returns: `noRoom`.
  @inline(never)
  package mutating func turn(_ page: RowPage, heapBytes: Int) -> Int {
    if page.count == 0 {
      page.makeRoom(forHeap: heapBytes)
    } else {
      add(RowPage(packing: page.layout, size: PageMemory.blockSize))
    }
    return Self.noRoom
  }

  private mutating func add(_ page: RowPage) {
    openIndex = pages.count
    // Most results have one page: creating the array with it costs half of appending.
    if pages.isEmpty { pages = [page] } else { pages.append(page) }
    use(page)
  }

  private mutating func use(_ page: RowPage) {
    self.page = Unmanaged.passUnretained(page)
    guard RecentTexts.pays(for: page) else {
      recentTexts = nil
      return
    }
    let texts = self.texts ?? RecentTexts()
    (self.texts, recentTexts) = (texts, texts.entries)
  }

  /// Records the key of a packed row, to know whether the rows arrive in key order.
  @inlinable @inline(__always)
  package mutating func noteKey(_ key: Int64) {
    if key <= lastKey { isInOrderOfKeys = false }
    lastKey = key
  }

  /// Records that the next row in arrival order is at an index of the open page.
  @inlinable @inline(__always)
  package mutating func note(_ row: Int) {
    // Rows of one entity are in page order.
    if entities > 1 { order.append(position(of: row)) }
  }

  /// The position of a row of the open page: page index (high 32 bits) and row index.
  @inlinable @inline(__always)
  package func position(of row: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: openIndex) << 32 | UInt64(truncatingIfNeeded: row)
  }

  /// The rows in arrival order.
  package func positions() -> [UInt64] {
    order.isEmpty ? RowList.positions(in: pages) : order
  }

  /// - Parameter sorted: the rows in the requested order, if that differs from arrival order.
  package mutating func finish(sorted: [UInt64]? = nil) -> RowList {
    if openIndex < pages.count { pages[openIndex].seal() }
    for index in others.values { pages[index].seal() }
    var list = RowList(pages: pages, order: sorted ?? (entities > 1 ? order : nil))
    list.isInOrderOfKeys = isInOrderOfKeys && sorted == nil
    return list
  }
}
