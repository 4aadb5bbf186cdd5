import Foundation
import ManagedModel
import RowStore

/// Values behind the accessors' backs, and the notices that custom accessors give.
extension NSManagedObject {
  /// A value as it is, without firing a fault.
  public func primitiveValue(forKey key: String) -> Any? {
    if let slot = layout.slot(named: key) { return slotValue(slot) }
    if let number = layout.toMany(named: key) { return linkedCollection(number) }
    unknown(key)
  }

  /// Sets a value without marking the object as changed, without inverses and without undo.
  public func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let context else { return setModeledValue(value, forKey: key) }
    context.withoutChangeTracking { setModeledValue(value, forKey: key) }
  }

  /// Fires the object before a custom accessor reads; nil is every property.
  public func willAccessValue(forKey key: String?) { materialize() }

  /// Ends what `willAccessValue(forKey:)` began.
  public func didAccessValue(forKey key: String?) {}

  /// Marks the object as changed, before a custom accessor writes by `setPrimitiveValue`.
  public func willChangeValue(forKey key: String) {
    guard layout.slot(named: key) != nil || layout.toMany(named: key) != nil else { return }
    willEdit()
  }

  /// Ends what `willChangeValue(forKey:)` began.
  public func didChangeValue(forKey key: String) {}
}
