import Foundation
import ManagedModel
import RowStore

/// The rows of a batch insert from dictionaries: the program's own, or one that a handler fills again and again.
final class DictionaryRows: BulkRows {
  private enum Supply {
    case list([[String: Any]])
    case handler((NSMutableDictionary) -> Bool)
    case ended
  }

  private var supply: Supply
  private var maker: BulkPageMaker
  private let dictionary = NSMutableDictionary()
  /// The names of the slots as the handler's dictionary has them: made once.
  private let keys: [NSString]

  init(_ layout: EntityLayout, list: [[String: Any]]) {
    supply = .list(list)
    maker = BulkPageMaker(layout)
    keys = []
  }

  init(_ layout: EntityLayout, handler: @escaping (NSMutableDictionary) -> Bool) {
    supply = .handler(handler)
    maker = BulkPageMaker(layout)
    keys = layout.slots.map { NSString(string: $0.name) }
  }

  func next() throws -> BulkPage? {
    maker.begin()
    switch supply {
    case .list(let list):
      while !maker.page.isFull, maker.rowsMade < list.count { try add(list[maker.rowsMade]) }
    case .handler(let handler):
      while !maker.page.isFull {
        dictionary.removeAllObjects()
        if handler(dictionary) {
          supply = .ended
          break
        }
        try addFilled()
      }
    case .ended: break
    }
    return maker.finish()
  }

  private func add(_ values: [String: Any]) throws {
    let row = maker.append()
    var known = 0
    for (slot, property) in maker.layout.slots.enumerated() {
      guard let value = values[property.name] else { continue }
      known += 1
      try maker.set(value, row, slot)
    }
    if known < values.count { throw maker.unknownKey(among: Array(values.keys)) }
  }

  private func addFilled() throws {
    let row = maker.append()
    var known = 0
    for (slot, key) in keys.enumerated() {
      guard let value = dictionary.object(forKey: key) else { continue }
      known += 1
      try maker.set(value, row, slot)
    }
    if known < dictionary.count { throw maker.unknownKey(among: dictionary.allKeys.map { "\($0)" }) }
  }
}

/// Makes the pages of a batch insert, one in the place of the other.
struct BulkPageMaker {
  /// Enough rows that the calls between do not count, few enough that they stay in the processor's cache.
  private static let capacity = 256

  let layout: EntityLayout
  let page: RowPage
  /// A row of the model's defaults, and the slots that have one.
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

  mutating func begin() {
    page.removeAll()
    given.removeAll(keepingCapacity: true)
  }

  /// The page; nil if it has no rows.
  func finish() -> BulkPage? { page.count == 0 ? nil : BulkPage(page: page, given: given) }

  /// Adds a row of defaults, and answers its place.
  mutating func append() -> Int {
    let row = page.append(id: .none, version: 0)
    for slot in defaultSlots { page.copySlot(slot, to: row, from: defaults, 0) }
    for _ in 0..<layout.nullWords { given.append(0) }
    rowsMade += 1
    return row
  }

  /// Takes back the row that was added last.
  mutating func removeLast() {
    page.removeLast()
    given.removeLast(layout.nullWords)
    rowsMade -= 1
  }

  mutating func noteGiven(_ row: Int, _ slot: Int) {
    given[row &* layout.nullWords &+ slot >> 6] |= 1 << UInt64(slot & 63)
  }

  mutating func set(_ value: Any, _ row: Int, _ slot: Int) throws {
    noteGiven(row, slot)
    if page.take(value, row, slot) { return }
    let property = layout.slots[slot]
    if property.kind == .toOne { throw refusal(property.name, "a batch insert cannot set relationships") }
    // A transient value of any type has no place in a store.
    if property.kind == .object { return }
    guard isNone(value) else { throw refusal(property.name, property.kind.refusal(of: value)) }
    page.setNil(row, slot)
  }

  func unknownKey(among keys: [String]) -> CocoaError {
    let unknown = keys.filter { layout.slot(named: $0) == nil }.sorted()
    let isToMany = unknown.contains { layout.toMany(named: $0) != nil }
    return refusal(
      unknown.first ?? "",
      isToMany ? "a batch insert cannot set relationships" : "the entity has no such attribute")
  }

  func refusal(_ key: String, _ reason: String) -> CocoaError {
    .coreData(
      .unsupported,
      "A batch insert of '\(layout.name)' was refused, and nothing inserted. Row \(rowsMade - 1) (counted from 0), key '\(key)': \(reason).",
      [NSValidationKeyErrorKey: key])
  }
}
