import Foundation
import StrataManagedModel
import StrataRowStore

/// Values that a migration carries over.
extension NSManagedObject {
  /// Sets an attribute as `setValue(_:forKey:)` does; false, with nothing set, where that would stop the program: the
  /// entity has no such attribute, or its type does not take the value.
  package final func takes(_ value: Any?, forKey key: String) -> Bool {
    let value = value is NSNull ? nil : value
    guard let slot = layout.slot(named: key) else {
      guard layout.composite(named: key) != nil, value == nil || value is [String: Any] else { return false }
      setModeledValue(value, forKey: key)
      return true
    }
    guard let value, layout.slots[slot].kind != .object else {
      setSlotValue(value, slot)
      return true
    }
    return storeValue(value, slot)
  }

  /// Takes over a transformable attribute of another object; false if one of both is none.
  ///
  /// Bytes that go through the same transformer here and there, or that the other object's cannot read, are taken over as
  /// they are.
  package final func takesBytes(forKey key: String, from other: NSManagedObject, _ otherKey: String) -> Bool {
    guard let slot = layout.slot(named: key), let otherSlot = other.layout.slot(named: otherKey),
      layout.slots[slot].kind == .transformable, other.layout.slots[otherSlot].kind == .transformable
    else { return false }
    other.materialize(otherSlot)
    guard let page = other.page, !page.isNil(Int(other.rowIndex), otherSlot) else {
      setNil(slot)
      return true
    }
    let isSame = TransformedValue.isSame(layout.slots[slot], other.layout.slots[otherSlot])
    if !isSame, let value = other.slotValue(otherSlot), storeValue(value, slot) { return true }
    withExtendedLifetime(page) { setBytes(page.bytes(Int(other.rowIndex), otherSlot), slot) }
    return true
  }
}
