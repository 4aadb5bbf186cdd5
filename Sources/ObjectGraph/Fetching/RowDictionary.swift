import Foundation
import StrataPredicates
import StrataRowStore

/// The dictionary that a batch insert's handler fills: values go straight into the row, unboxed. For 100,000 rows of 13
/// values, Foundation's dictionary takes six times as long.
final class RowDictionary: NSMutableDictionary {
  /// Set before a handler sees the dictionary.
  var maker: BulkPageMaker?
  private var row = 0
  /// The values that the row does not accept, by key.
  private var refused: [String: Any] = [:]
  /// The slots of the previous row in the order in which they were set: handlers repeat it for every row.
  private var order: [Int] = []
  private var index = 0

  /// Moves on to a row of defaults.
  func begin(_ row: Int) {
    self.row = row
    index = 0
    if !refused.isEmpty { refused = [:] }
  }

  /// - Throws: code 134091 with the first key that the row does not accept.
  func check() throws {
    guard let maker, let key = refused.keys.min(), let value = refused[key] else { return }
    // Repeated to get the error.
    if let composite = maker.layout.composite(named: key) { try maker.setValue(value, row: row, slot: composite) }
    throw maker.refusal(of: value, key)
  }

  private func slot(_ name: String, in maker: BulkPageMaker) -> Int? {
    if index < order.count, maker.layout.slots[order[index]].name == name {
      index += 1
      return order[index - 1]
    }
    guard let slot = maker.layout.slot(named: name) else { return nil }
    order.removeSubrange(index...)
    order.append(slot)
    index = order.count
    return slot
  }

  private func name(_ key: Any) -> String { key as? String ?? "\(key)" }

  override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
    guard let maker else { return }
    let name = name(aKey.base)
    if let slot = slot(name, in: maker), maker.setValue(anObject, row: row, slot: slot) {
      if !refused.isEmpty { refused[name] = nil }
    } else if let composite = maker.layout.composite(named: name),
      (try? maker.setValue(anObject, row: row, slot: composite)) != nil
    {
      refused[name] = nil
    } else {
      refused[name] = anObject
    }
  }

  override func removeObject(forKey aKey: Any) {
    let name = name(aKey)
    refused[name] = nil
    guard let maker else { return }
    if let slot = maker.layout.slot(named: name) { maker.forget(row: row, slot: slot) }
    for slot in maker.layout.composite(named: name)?.slots ?? 0..<0 { maker.forget(row: row, slot: slot) }
  }

  override func removeAllObjects() {
    refused = [:]
    guard let maker else { return }
    for slot in maker.layout.slots.indices { maker.forget(row: row, slot: slot) }
  }

  override func object(forKey aKey: Any) -> Any? {
    let name = name(aKey)
    if let value = refused[name] { return value }
    guard let maker else { return nil }
    if let composite = maker.layout.composite(named: name) {
      return composite.dictionary { value(of: $0, in: maker).flatMap { $0 is NSNull ? nil : $0 } }
    }
    return maker.layout.slot(named: name).flatMap { value(of: $0, in: maker) }
  }

  /// Returns the value given for a slot.
  private func value(of slot: Int, in maker: BulkPageMaker) -> Any? {
    guard maker.isGiven(row: row, slot: slot) else { return nil }
    let value = Row(page: maker.page, index: row)
    if maker.layout.slots[slot].kind == .transformable, !maker.page.isNil(row: row, slot: slot) {
      return TransformedValue.decode(maker.page.bytes(row: row, slot: slot), of: maker.layout.slots[slot])
    }
    return value.predicateValue(slot).plain ?? NSNull()
  }

  override var count: Int { names.count }

  override func keyEnumerator() -> NSEnumerator { NSArray(array: names).objectEnumerator() }

  private var names: [String] {
    guard let maker else { return [] }
    var given: [String] = []
    for slot in maker.layout.slots.indices where maker.isGiven(row: row, slot: slot) {
      let name = maker.layout.slots[slot].ownerName
      if given.last != name { given.append(name) }
    }
    return given.filter { refused[$0] == nil } + refused.keys.sorted()
  }
}
