import StrataManagedModel

/// One row of a page.
@usableFromInline
package struct Row: @unchecked Sendable {
  // Sendable: pages are immutable once shared.

  @usableFromInline package let page: RowPage
  @usableFromInline package let index: Int

  @inlinable package init(page: RowPage, index: Int) {
    self.page = page
    self.index = index
  }

  @inlinable package var id: RowID { page.id(index) }
  @inlinable package var version: Int64 { page.version(index) }
  @inlinable package var layout: EntityLayout { page.layout }

  /// A copy in a page of its own.
  package func copy() -> Row {
    let copy = RowPage(layout: page.layout, capacity: 1)
    return Row(page: copy, index: copy.append(copyOf: page, index))
  }
}

/// Rows in fetch order.
@usableFromInline
package struct RowList: Sendable {
  @usableFromInline package var pages: [RowPage] = []
  /// Each row's page index (high 32 bits) and row index; nil if the rows are in page order.
  @usableFromInline package var order: [UInt64]?

  /// Whether the rows are known to ascend by key.
  package var isInOrderOfKeys = false

  package init(pages: [RowPage] = [], order: [UInt64]? = nil) {
    self.pages = pages
    self.order = order
  }

  package var count: Int { order?.count ?? pages.reduce(0) { $0 + $1.count } }

  @inlinable package func forEach(_ body: (RowPage, Int) throws -> Void) rethrows {
    if let order {
      for position in order { try body(pages[Int(position >> 32)], Int(position & 0xFFFF_FFFF)) }
    } else {
      for page in pages { for row in 0..<page.count { try body(page, row) } }
    }
  }

  /// Calls `body` with the page index and row index of each row.
  @inlinable package func forEachPosition(_ body: (Int, Int) throws -> Void) rethrows {
    if let order {
      for position in order { try body(Int(position >> 32), Int(position & 0xFFFF_FFFF)) }
    } else {
      for page in pages.indices { for row in 0..<pages[page].count { try body(page, row) } }
    }
  }

  package var rows: [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(count)
    forEach { rows.append(Row(page: $0, index: $1)) }
    return rows
  }
}

extension RowList {
  /// The rows sorted by key.
  package var inOrderOfKeys: RowList {
    if isInOrderOfKeys { return self }
    var keyed = (order ?? Self.positions(in: pages)).map { position in
      (key: pages[Int(position >> 32)].id(Int(position & 0xFFFF_FFFF)).key, position: position)
    }
    keyed.sort { $0.key < $1.key }
    return RowList(pages: pages, order: keyed.map(\.position))
  }

  /// The position of every row of some pages, in page order.
  package static func positions(in pages: [RowPage]) -> [UInt64] {
    pages.enumerated().flatMap { index, page in (0..<page.count).map { UInt64(index) << 32 | UInt64($0) } }
  }

  /// Single rows as a list.
  package init(rows: [Row]) {
    var numbers: [ObjectIdentifier: UInt64] = [:]
    var pages: [RowPage] = []
    let order = rows.map { row -> UInt64 in
      let page =
        numbers[ObjectIdentifier(row.page)]
        ?? {
          pages.append(row.page)
          numbers[ObjectIdentifier(row.page)] = UInt64(pages.count - 1)
          return UInt64(pages.count - 1)
        }()
      return page << 32 | UInt64(row.index)
    }
    self.init(pages: pages, order: order)
  }
}
