import StrataManagedModel
import StrataRowStore

/// The pages in which a context keeps unsaved rows, one page at a time for each entity.
///
/// A save seals the pages, because others may then share their rows. Later edits go to new pages.
struct UnsavedRows {
  private var pages = PerEntity<RowPage>()

  /// Returns a page with room for one more row: small at first, so that one edit does not cost 256 rows.
  mutating func page(for layout: EntityLayout) -> RowPage {
    // The context may have got another model since.
    let last = pages[layout.number].flatMap { $0.layout === layout ? $0 : nil }
    if let last, !last.isFull { return last }
    let page = Self.page(for: layout, after: last)
    pages[layout.number] = page
    return page
  }

  /// Ends the pages after a save.
  mutating func seal() {
    pages.forEach { $0.seal() }
    pages.removeAll()
  }

  /// Forgets the pages after the changes were discarded.
  mutating func removeAll() { pages.removeAll() }

  private static let maximumRows = 256

  private static func page(for layout: EntityLayout, after last: RowPage?) -> RowPage {
    let capacity = min(maximumRows, (last?.capacity ?? 1) * 8)
    // Slightly more text than in the last page: a heap that has to grow ends up half empty.
    let text = last.map { $0.heapBytes / $0.count * 9 / 8 } ?? 32
    let rows = PageMemory.blockSize / (layout.stride * 8 + text)
    guard capacity == maximumRows, rowsOfBlock.contains(rows) else {
      return RowPage(layout: layout, capacity: capacity, heapCapacity: capacity * text)
    }
    // The rows of a bulk insertion fill blocks, which return to the system as soon as they are released.
    return RowPage(layout: layout, capacity: rows, heapCapacity: PageMemory.blockSize - rows * layout.stride * 8)
  }

  /// For these numbers of rows, a block is about as large as a page of `maximumRows`.
  private static let rowsOfBlock = 128...384
}
