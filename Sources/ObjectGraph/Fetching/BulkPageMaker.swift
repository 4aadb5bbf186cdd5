import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataRowStore

/// Makes the pages of a batch insert, one in the place of the other.
final class BulkPageMaker {
  /// Enough rows that the calls between do not count, few enough that they stay in the processor's cache.
  private static let capacity = 256

  let layout: EntityLayout
  let page: RowPage
  /// A row of the model's defaults.
  let defaults: RowPage
  private let defaultSlots: [Int]
  private var given: [UInt64] = []
  /// The rows of the pages before, and of this one.
  private(set) var rowsMade = 0

  init(_ layout: EntityLayout) {
    self.layout = layout
    page = RowPage(layout: layout, capacity: Self.capacity, heapCapacity: Self.capacity * 64)
    defaults = RowPage(layout: layout, capacity: 1)
    _ = defaults.append(id: .none, version: 0)
    var slots: [Int] = []
    for (slot, property) in layout.slots.enumerated() {
      guard let value = (property.property as? NSAttributeDescription)?.defaultValue else { continue }
      if defaults.take(value, 0, slot) { slots.append(slot) }
    }
    defaultSlots = slots
  }

  func begin() {
    page.removeAll()
    given.removeAll(keepingCapacity: true)
  }

  /// The page; nil if it has no rows.
  func finish() -> BulkPage? { page.count == 0 ? nil : BulkPage(page: page, given: given) }

  /// Adds a row of defaults, and answers its place.
  func append() -> Int {
    let row = page.append(id: .none, version: 0)
    for slot in defaultSlots { page.copySlot(slot, to: row, from: defaults, 0) }
    for _ in 0..<layout.nullWords { given.append(0) }
    rowsMade += 1
    return row
  }

  /// Takes back the row that was added last.
  func removeLast() {
    page.removeLast()
    given.removeLast(layout.nullWords)
    rowsMade -= 1
  }

  func noteGiven(_ row: Int, _ slot: Int) {
    given[row &* layout.nullWords &+ slot >> 6] |= 1 << UInt64(slot & 63)
  }

  func isGiven(_ row: Int, _ slot: Int) -> Bool {
    given[row &* layout.nullWords &+ slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  /// Gives a slot its default again.
  func forget(_ row: Int, _ slot: Int) {
    given[row &* layout.nullWords &+ slot >> 6] &= ~(1 << UInt64(slot & 63))
    page.copySlot(slot, to: row, from: defaults, 0)
  }

  /// Sets a slot to what was given; false if it does not take the value.
  func take(_ value: Any, _ row: Int, _ slot: Int) -> Bool {
    noteGiven(row, slot)
    if page.take(value, row, slot) { return true }
    switch layout.slots[slot].kind {
    case .toOne: return false
    // A transient value of any type has no place in a store.
    case .object: return true
    default:
      guard isNone(value) else { return false }
      page.setNil(row, slot)
      return true
    }
  }

  /// Sets the elements of a composite attribute.
  /// - Throws: code 134091 for what is no dictionary, or has what an element does not take.
  func take(_ value: Any, _ row: Int, _ composite: CompositeAttribute) throws(CocoaError) {
    try composite.spread(isNone(value) ? nil : value, refusal: { refusal($0, $1) }) { slot, value throws(CocoaError) in
      let value = value ?? NSNull()
      guard take(value, row, slot) else { throw refusal(of: value, layout.slots[slot].name) }
    }
  }

  /// Why the row that was added last cannot be inserted.
  func refusal(of value: Any, _ key: String) -> CocoaError {
    guard let slot = layout.slot(named: key) else {
      let isToMany = layout.toMany(named: key) != nil
      return refusal(key, isToMany ? Self.noRelationships : "the entity has no such attribute")
    }
    let kind = layout.slots[slot].kind
    return refusal(key, kind == .toOne ? Self.noRelationships : kind.refusal(of: value))
  }

  static let noRelationships = "a batch insert cannot set relationships"

  func refusal(_ key: String, _ reason: String) -> CocoaError {
    .coreData(
      .unsupported,
      "A batch insert of '\(layout.name)' was refused, and nothing inserted. "
        + "Row \(rowsMade - 1) (counted from 0), key '\(key)': \(reason).", [NSValidationKeyErrorKey: key])
  }
}
