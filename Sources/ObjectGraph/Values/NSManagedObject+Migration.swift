import Foundation
import StrataManagedModel
import StrataRowStore

/// Values copied by a migration.
extension NSManagedObject {
  /// Sets an attribute like `setValue(_:forKey:)`, but returns false, without setting anything, where that would stop
  /// the program: if the entity has no such attribute, or its type does not accept the value.
  package final func takes(_ value: Any?, forKey key: String) -> Bool {
    let value = value is NSNull ? nil : value
    guard let slot = layout.slot(named: key) else {
      guard layout.composite(named: key) != nil, value == nil || value is [String: Any] else { return false }
      setModeledValue(value, forKey: key)
      return true
    }
    guard let value, layout.slots[slot].kind != .object else {
      setSlotValue(value, slot: slot)
      return true
    }
    return storeValue(value, slot: slot)
  }

  /// Copies a transformable attribute of another object; returns false if either is not transformable.
  ///
  /// Bytes are copied unchanged if both attributes use the same transformer, or if the other object's cannot read them.
  package final func takesBytes(forKey key: String, from other: NSManagedObject, _ otherKey: String) -> Bool {
    guard let slot = layout.slot(named: key), let otherSlot = other.layout.slot(named: otherKey),
      layout.slots[slot].kind == .transformable, other.layout.slots[otherSlot].kind == .transformable
    else { return false }
    other.materialize(otherSlot)
    guard let page = other.page, !page.isNil(row: other.rowIndex, slot: otherSlot) else {
      setNil(slot)
      return true
    }
    let isSame = TransformedValue.isSame(layout.slots[slot], other.layout.slots[otherSlot])
    if !isSame, let value = other.slotValue(otherSlot), storeValue(value, slot: slot) { return true }
    withExtendedLifetime(page) { setBytes(page.bytes(row: other.rowIndex, slot: otherSlot), slot: slot) }
    return true
  }
}
