import Foundation
import StrataManagedModel

// On a protocol, because a subclass may declare its own subscript with a string, which it could not if the class
// declared this one.
extension _MadeFromSeed where Self: NSManagedObject {
  /// The value of a property, by name.
  public subscript(key: String) -> Any? {
    get { value(forKey: key) }
    nonmutating set { setValue(newValue, forKey: key) }
  }
}

/// Values by key path, and several values in one call.
extension NSManagedObject {
  /// Returns the value at a key path.
  ///
  /// Beyond a to-many relationship, it is a collection of the members' values, or the result of a collection operator:
  /// `@count`, `@sum`, `@avg`, `@min`, `@max`, `@unionOfObjects`, `@distinctUnionOfObjects` and their variants for
  /// arrays and sets.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyValueCoding.value(of: self, at: KeyValueCoding.keys(in: keyPath))
  }

  /// Sets the value at a key path. Beyond a to-many relationship, it is set for every member.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    // An element of a composite attribute is a property of the object, not of the dictionary that the object returns.
    let keys = layout.flattened(Array(KeyValueCoding.keys(in: keyPath)))
    guard let last = keys.last else { return setValue(value, forKey: keyPath) }
    guard let owner = KeyValueCoding.value(of: self, at: keys.dropLast()) else { return }
    KeyValueCoding.set(value, of: owner, forKey: last)
  }

  /// Returns a mutable set for the to-many relationship at a path of to-one relationships: see
  /// `mutableSetValue(forKey:)`.
  ///
  /// If an object on the path is nil, the set is empty, and changing it has no effect.
  public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let (owner, key) = owner(at: keyPath)
    return owner?.mutableSetValue(forKey: key) ?? NSMutableSet()
  }

  /// Returns a mutable ordered set for the ordered to-many relationship at a path of to-one relationships: see
  /// `mutableOrderedSetValue(forKey:)`.
  ///
  /// If an object on the path is nil, the set is empty, and changing it has no effect.
  public func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    let (owner, key) = owner(at: keyPath)
    return owner?.mutableOrderedSetValue(forKey: key) ?? NSMutableOrderedSet()
  }

  /// Returns the object with the last property of a path, and the property's name.
  private func owner(at keyPath: String) -> (NSManagedObject?, String) {
    guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
    let owner = value(forKeyPath: String(keyPath[..<dot]))
    guard owner == nil || owner is NSManagedObject else {
      fatalError("\(type(of: self)) is not key value coding-compliant for the key path \"\(keyPath)\".")
    }
    return (owner as? NSManagedObject, String(keyPath[keyPath.index(after: dot)...]))
  }

  /// Returns values by property name, with `NSNull` for nil.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
  }

  /// Sets values by property name. `NSNull` sets nil.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
  }
}
