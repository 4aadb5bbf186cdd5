import Foundation
import StrataManagedModel
import StrataRowStore

/// Composite attributes: one value to the program, and slots to everyone else.
extension NSManagedObject {
  /// The value of a composite attribute of an object that is materialized: a dictionary of what is not nil in it.
  func compositeValue(_ composite: CompositeAttribute) -> [String: Any]? { composite.dictionary(slotValue) }

  /// Sets every element: those that the dictionary does not have become nil. What is no dictionary, and a key that is no
  /// element's, stops the program.
  func setComposite(_ value: Any?, _ composite: CompositeAttribute) {
    let notice = composite.slots.first.flatMap(willTell)
    defer { notice?.end() }
    composite.spread(value.flatMap { isNone($0) ? nil : $0 }) { path, reason in
      fatalError("Unacceptable type of value for attribute: property = \"\(path)\"; \(reason).")
    } _: { slot, value in
      setSlotValue(value, slot)
    }
  }

  /// Notes the value of a slot under the name of its property, NSNull for nil; of an element the whole composite attribute.
  /// - Parameter value: the value of any slot.
  func note(_ slot: Int, in values: inout [String: Any], _ value: (Int) -> Any?) {
    guard let composite = layout.composite(of: slot) else {
      values[layout.slots[slot].name] = value(slot) ?? NSNull()
      return
    }
    if values[composite.name] == nil { values[composite.name] = composite.dictionary(value) ?? NSNull() }
  }
}
