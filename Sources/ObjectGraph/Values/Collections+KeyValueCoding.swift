public import Foundation

/// Key-value coding, which Foundation lacks on Linux. Members may be managed objects, dictionaries, collections, and
/// objects that are asked for their stored properties.
extension NSArray {
  /// Returns an array of the members' values of a key, with `NSNull` for nil.
  public func value(forKey key: String) -> Any {
    if key.hasPrefix("@") { return value(forKeyPath: key) ?? NSNull() }
    return NSArray(array: map { KeyValueCoding.value(of: $0, forKey: key) ?? NSNull() })
  }

  /// Returns the members' values at a key path, or the result of a collection operator, such as `@max.magnitude` or
  /// `@unionOfObjects.name`: see ``NSManagedObject/value(forKeyPath:)``.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyValueCoding.value(of: self, at: KeyValueCoding.keys(in: keyPath))
  }

  /// Sets a value of each member.
  public func setValue(_ value: Any?, forKey key: String) { KeyValueCoding.set(value, of: self, forKey: key) }

  /// Sets the value at a key path of each member.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    for member in self { KeyValueCoding.set(value, of: member, at: keyPath) }
  }
}

/// Key-value coding, which Foundation lacks on Linux: see `NSArray`.
extension NSSet {
  /// Returns a set of the members' values of a key, without nil.
  public func value(forKey key: String) -> Any {
    if key.hasPrefix("@") { return value(forKeyPath: key) ?? NSNull() }
    return NSSet(array: allObjects.compactMap { KeyValueCoding.value(of: $0, forKey: key) })
  }

  /// Returns the members' values at a key path, or the result of a collection operator, such as `@max.magnitude` or
  /// `@unionOfObjects.name`: see ``NSManagedObject/value(forKeyPath:)``.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyValueCoding.value(of: self, at: KeyValueCoding.keys(in: keyPath))
  }

  /// Sets a value of each member.
  public func setValue(_ value: Any?, forKey key: String) { KeyValueCoding.set(value, of: self, forKey: key) }

  /// Sets the value at a key path of each member.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    for member in allObjects { KeyValueCoding.set(value, of: member, at: keyPath) }
  }
}

/// Key-value coding, which Foundation lacks on Linux: see `NSArray`.
extension NSOrderedSet {
  /// Returns an ordered set of the members' values of a key, without nil.
  public func value(forKey key: String) -> Any {
    if key.hasPrefix("@") { return value(forKeyPath: key) ?? NSNull() }
    // Foundation's ordered set keeps what an array has twice.
    return NSOrderedSet(
      array: KeyValueCoding.distinct(array.compactMap { KeyValueCoding.value(of: $0, forKey: key) }))
  }

  /// Returns the members' values at a key path, or the result of a collection operator, such as `@max.magnitude` or
  /// `@unionOfObjects.name`: see ``NSManagedObject/value(forKeyPath:)``.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyValueCoding.value(of: self, at: KeyValueCoding.keys(in: keyPath))
  }

  /// Sets a value of each member.
  public func setValue(_ value: Any?, forKey key: String) { KeyValueCoding.set(value, of: self, forKey: key) }

  /// Sets the value at a key path of each member.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    for member in array { KeyValueCoding.set(value, of: member, at: keyPath) }
  }
}

extension NSDictionary {
  /// Returns the value at a key path, or the result of a collection operator: see
  /// ``NSManagedObject/value(forKeyPath:)``.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyValueCoding.value(of: self, at: KeyValueCoding.keys(in: keyPath))
  }
}
