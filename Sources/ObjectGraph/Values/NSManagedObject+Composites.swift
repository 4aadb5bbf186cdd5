import Foundation
import StrataManagedModel
import StrataRowStore

/// Composite attributes: one value for the program, slots internally.
extension NSManagedObject {
  /// Returns the value of a composite attribute: a dictionary of its non-nil elements. The object must be materialized.
  func compositeValue(_ composite: CompositeAttribute) -> [String: Any]? { composite.dictionary(slotValue) }

  /// Sets every element: those missing in the dictionary become nil. A value that is not a dictionary, or an unknown
  /// key, stops the program.
  func setComposite(_ value: Any?, of composite: CompositeAttribute) {
    let notice = composite.slots.first.flatMap(beginNotice)
    defer { notice?.end() }
    composite.spread(value.flatMap { isNone($0) ? nil : $0 }) { path, reason in
      fatalError("Unacceptable type of value for attribute: property = \"\(path)\"; \(reason).")
    } take: { slot, value in
      setSlotValue(value, slot: slot)
    }
  }

  /// Adds the value of a slot under its property's name, with NSNull for nil; for an element, that of the whole
  /// composite attribute.
  /// - Parameter value: returns the value of any slot.
  func note(_ slot: Int, in values: inout [String: Any], value: (Int) -> Any?) {
    guard let composite = layout.composite(of: slot) else {
      values[layout.slots[slot].name] = value(slot) ?? NSNull()
      return
    }
    if values[composite.name] == nil { values[composite.name] = composite.dictionary(value) ?? NSNull() }
  }
}
