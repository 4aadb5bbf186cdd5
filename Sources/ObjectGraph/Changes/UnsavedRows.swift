import StrataManagedModel
import StrataRowStore

/// The pages of unsaved rows, and which objects use them.
extension NSManagedObjectContext {
  /// Returns a page with room for one more unsaved row: small at first, so that one edit does not cost 256 rows.
  func scratchPage(for layout: EntityLayout) -> RowPage {
    let last = scratch[layout.number]
    if let last, !last.isFull { return last }
    let page = page(for: layout, after: last)
    scratch[layout.number] = page
    return page
  }

  private static let maximumRows = 256

  private func page(for layout: EntityLayout, after last: RowPage?) -> RowPage {
    let capacity = min(Self.maximumRows, (last?.capacity ?? 1) * 8)
    // Slightly more text than in the last page: a heap that has to grow ends up half empty.
    let text = last.map { $0.heapBytes / $0.count * 9 / 8 } ?? 32
    let rows = PageMemory.blockSize / (layout.stride * 8 + text)
    guard capacity == Self.maximumRows, Self.rowsOfBlock.contains(rows) else {
      return RowPage(layout: layout, capacity: capacity, heapCapacity: capacity * text)
    }
    // The rows of a bulk insertion fill blocks, which return to the system as soon as they are released.
    return RowPage(layout: layout, capacity: rows, heapCapacity: PageMemory.blockSize - rows * layout.stride * 8)
  }

  /// For these numbers of rows, a block is about as large as a page of `maximumRows`.
  private static let rowsOfBlock = 128...384

  func list(_ object: NSManagedObject) {
    guard !object.flags.contains(.listed) else { return }
    object.flags.insert(.listed)
    listed.append(object)
  }
}
