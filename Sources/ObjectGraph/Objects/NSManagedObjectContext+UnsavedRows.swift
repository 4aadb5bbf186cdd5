import StrataManagedModel
import StrataRowStore

/// Where rows lie that are not saved, and which objects have them.
extension NSManagedObjectContext {
  /// A page with room for one more row that is not saved: small at first, so that one edit does not cost 256 rows.
  func scratchPage(for layout: EntityLayout) -> RowPage {
    let last = scratch[layout.number]
    if let last, !last.isFull { return last }
    let capacity = min(256, (last?.capacity ?? 1) * 8)
    // As much text as in the last page, and some more: a heap that grows by itself ends half empty.
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
