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

/// Values by key path, and several values at once.
extension NSManagedObject {
  /// Returns the value at a key path.
  ///
  /// Beyond a to-many relationship, it is a collection of the members' values, or the result of a collection operator:
  /// `@count`, `@sum`, `@avg`, `@min`, `@max`, `@unionOfObjects`, `@distinctUnionOfObjects` and their variants for
  /// arrays and sets.
  public func value(forKeyPath keyPath: String) -> Any? {
    Self.value(of: self, at: keyPath.split(separator: ".").map(String.init)[...], keyPath)
  }

  /// Sets the value at a key path. Beyond a to-many relationship, it is set for every member.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    // An element of a composite attribute is a property of the object, not of the dictionary that the object returns.
    let keys = layout.flattened(keyPath.split(separator: ".").map(String.init))
    guard let last = keys.last else { return setValue(value, forKey: keyPath) }
    switch Self.value(of: self, at: keys.dropLast(), keyPath) {
    case nil: return
    case let object as NSManagedObject: object.setValue(value, forKey: last)
    case let found?:
      for case let member as NSManagedObject in Self.members(of: found, keyPath) {
        member.setValue(value, forKey: last)
      }
    }
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

  private static func value(of start: Any?, at keys: ArraySlice<String>, _ path: String) -> Any? {
    guard let start, let key = keys.first else { return start }
    let rest = keys.dropFirst()
    if let object = start as? NSManagedObject { return value(of: object.value(forKey: key), at: rest, path) }
    if let dictionary = start as? [String: Any] { return value(of: dictionary[key], at: rest, path) }
    let members = members(of: start, path)
    if key.hasPrefix("@") { return combined(members, by: key, rest: rest, path: path) }
    let values = members.compactMap { value(of: $0, at: [key], path) }
    let collection: Any = start is NSOrderedSet ? NSOrderedSet(array: values) : NSSet(array: values)
    return value(of: collection, at: rest, path)
  }

  private static func members(of value: Any, _ path: String) -> [Any] {
    switch value {
    case let set as NSSet: set.allObjects
    case let set as NSOrderedSet: set.array
    case let array as [Any]: array
    default: fatalError("\(type(of: value)) is not key value coding-compliant for the key path \"\(path)\".")
    }
  }

  /// https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/KeyValueCoding/CollectionOperators.html
  private static func combined(_ members: [Any], by name: String, rest: ArraySlice<String>, path: String) -> Any? {
    if name == "@count" { return NSNumber(value: members.count) }
    let values = members.compactMap { value(of: $0, at: rest, path) }
    let numbers = values.lazy.compactMap { ($0 as? NSNumber)?.doubleValue }
    switch name {
    case "@sum": return NSNumber(value: numbers.reduce(0, +))
    case "@avg": return values.isEmpty ? nil : NSNumber(value: numbers.reduce(0, +) / Double(values.count))
    case "@min": return values.min(by: isBefore)
    case "@max": return values.max(by: isBefore)
    case "@unionOfObjects": return NSArray(array: values)
    case "@distinctUnionOfObjects": return distinct(values)
    case "@unionOfArrays", "@unionOfSets": return values.flatMap { Self.members(of: $0, path) }
    case "@distinctUnionOfArrays", "@distinctUnionOfSets":
      return distinct(values.flatMap { Self.members(of: $0, path) })
    default: fatalError("\"\(name)\" in the key path \"\(path)\" is no collection operator.")
    }
  }

  private static func distinct(_ values: [Any]) -> [Any] {
    var seen: Set<AnyHashable> = []
    return values.filter { ($0 as? AnyHashable).map { seen.insert($0).inserted } ?? true }
  }

  private static func isBefore(_ left: Any, _ right: Any) -> Bool {
    switch (left, right) {
    case (let left as NSNumber, let right as NSNumber): left.compare(right) == .orderedAscending
    case (let left as String, let right as String): left < right
    case (let left as Date, let right as Date): left < right
    default: false
    }
  }
}
