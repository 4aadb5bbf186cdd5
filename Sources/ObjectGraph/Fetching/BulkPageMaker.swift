import Foundation
import StrataManagedModel
import StrataRowStore

/// Fills the pages of a batch insert, reusing one page.
final class BulkPageMaker {
  /// Large enough to amortize the calls between pages, small enough to stay in the processor's cache.
  private static let capacity = 256

  let layout: EntityLayout
  let page: RowPage
  /// A row of the model's default values.
  let defaults: RowPage
  private let defaultSlots: [Int]
  private var given: [UInt64] = []
  /// The number of rows in all pages so far.
  private(set) var rowsMade = 0

  init(_ layout: EntityLayout) {
    self.layout = layout
    page = RowPage(layout: layout, capacity: Self.capacity, heapCapacity: Self.capacity * 64)
    defaults = RowPage(layout: layout, capacity: 1)
    _ = defaults.append(id: .none, version: 0)
    var slots: [Int] = []
    for (slot, property) in layout.slots.enumerated() {
      guard let value = property.defaultValue else { continue }
      if defaults.setValue(value, row: 0, slot: slot) { slots.append(slot) }
    }
    defaultSlots = slots
  }

  func begin() {
    page.removeAll()
    given.removeAll(keepingCapacity: true)
  }

  /// Returns the page; nil if it has no rows.
  func finish() -> BulkPage? { page.count == 0 ? nil : BulkPage(page: page, given: given) }

  /// Appends a row of defaults, and returns its index.
  func append() -> Int {
    let row = page.append(id: .none, version: 0)
    for slot in defaultSlots { page.copySlot(slot, to: row, from: defaults, row: 0) }
    for _ in 0..<layout.nullWords { given.append(0) }
    rowsMade += 1
    return row
  }

  /// Removes the row that was appended last.
  func removeLast() {
    page.removeLast()
    given.removeLast(layout.nullWords)
    rowsMade -= 1
  }

  func noteGiven(row: Int, slot: Int) {
    given[row &* layout.nullWords &+ slot >> 6] |= 1 << UInt64(slot & 63)
  }

  func isGiven(row: Int, slot: Int) -> Bool {
    given[row &* layout.nullWords &+ slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  /// Resets a slot to its default.
  func forget(row: Int, slot: Int) {
    given[row &* layout.nullWords &+ slot >> 6] &= ~(1 << UInt64(slot & 63))
    page.copySlot(slot, to: row, from: defaults, row: 0)
  }

  /// Sets a slot; returns false if it does not accept the value.
  func setValue(_ value: Any, row: Int, slot: Int) -> Bool {
    noteGiven(row: row, slot: slot)
    if page.setValue(value, row: row, slot: slot) { return true }
    switch layout.slots[slot].kind {
    case .toOne: return false
    // Transient values are not stored, whatever their type.
    case .object: return true
    default:
      guard isNone(value) else { return false }
      page.setNil(row: row, slot: slot)
      return true
    }
  }

  /// Sets the elements of a composite attribute.
  /// - Throws: code 134091 for a value that is not a dictionary, or that has a value an element does not accept.
  func setValue(_ value: Any, row: Int, slot composite: CompositeAttribute) throws(CocoaError) {
    try composite.spread(isNone(value) ? nil : value, refusal: { refusal(of: $0, reason: $1) }) {
      slot, value throws(CocoaError) in
      let value = value ?? NSNull()
      guard setValue(value, row: row, slot: slot) else { throw refusal(of: value, layout.slots[slot].name) }
    }
  }

  /// The error for a value of the last row that cannot be inserted.
  func refusal(of value: Any, _ key: String) -> CocoaError {
    guard let slot = layout.slot(named: key) else {
      let isToMany = layout.toMany(named: key) != nil
      return refusal(of: key, reason: isToMany ? Self.noRelationships : "the entity has no such attribute")
    }
    let kind = layout.slots[slot].kind
    return refusal(of: key, reason: kind == .toOne ? Self.noRelationships : kind.refusal(of: value))
  }

  static let noRelationships = "a batch insert cannot set relationships"

  func refusal(of key: String, reason: String) -> CocoaError {
    .coreData(
      .unsupported,
      "A batch insert of '\(layout.name)' was refused, and nothing inserted. "
        + "Row \(rowsMade - 1) (counted from 0), key '\(key)': \(reason).", userInfo: [NSValidationKeyErrorKey: key])
  }
}
