import StrataManagedModel
import StrataRowStore

/// The pages of unsaved rows, and which objects use them.
extension NSManagedObjectContext {
  /// Returns a page with room for one more unsaved row: small at first, so that one edit does not cost 256 rows.
  func scratchPage(for layout: EntityLayout) -> RowPage {
    let last = scratch[layout.number]
    if let last, !last.isFull { return last }
    let capacity = min(256, (last?.capacity ?? 1) * 8)
    // Slightly more text than in the last page: a heap that grows by itself ends up half empty.
    let text = last.map { $0.heapBytes / $0.count * 9 / 8 } ?? 32
    let page = RowPage(layout: layout, capacity: capacity, heapCapacity: capacity * text)
    scratch[layout.number] = page
    return page
  }

  func list(_ object: NSManagedObject) {
    guard !object.flags.contains(.listed) else { return }
    object.flags.insert(.listed)
    listed.append(object)
  }
}
