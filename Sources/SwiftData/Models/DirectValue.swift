import CoreData
import Foundation

/// A type whose values a managed object reads and writes without a conversion.
///
/// Only for code that `@Model` generates. A program cannot add types.
public protocol _DirectValue: Codable {
  static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Self?
  static func _write(_ value: Self?, _ key: borrowing _ManagedKey, of object: NSManagedObject)

  /// The value for a model without a context.
  var _detached: _DetachedValue { get }
  /// nil for a value of another type.
  init?(_detached: _DetachedValue)
}

/// A property's value in a model without a context.
///
/// Only for code that `@Model` generates.
public enum _DetachedValue {
  /// The property has not been set.
  case unset
  case null
  case integer(Int64)
  case real(Double)
  case date(Date)
  case text(String)
  case other(Any)
}

extension String: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> String? {
    object._string(key)
  }
  @inlinable public static func _write(_ value: String?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setString(value, key)
  }
  @inlinable public var _detached: _DetachedValue { .text(self) }
  @inlinable public init?(_detached: _DetachedValue) {
    guard case .text(let value) = _detached else { return nil }
    self = value
  }
}

extension Date: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Date? {
    object._date(key)
  }
  @inlinable public static func _write(_ value: Date?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setDate(value, key)
  }
  @inlinable public var _detached: _DetachedValue { .date(self) }
  @inlinable public init?(_detached: _DetachedValue) {
    guard case .date(let value) = _detached else { return nil }
    self = value
  }
}

extension Double: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Double? {
    object._double(key)
  }
  @inlinable public static func _write(_ value: Double?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setDouble(value, key)
  }
  @inlinable public var _detached: _DetachedValue { .real(self) }
  @inlinable public init?(_detached: _DetachedValue) {
    guard case .real(let value) = _detached else { return nil }
    self = value
  }
}

extension Bool: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Bool? {
    object._integer(key).map { $0 != 0 }
  }
  @inlinable public static func _write(_ value: Bool?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setInteger(value.map { $0 ? 1 : 0 }, key)
  }
  @inlinable public var _detached: _DetachedValue { .integer(self ? 1 : 0) }
  @inlinable public init?(_detached: _DetachedValue) {
    guard case .integer(let value) = _detached else { return nil }
    self = value != 0
  }
}

extension Int: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Int? {
    object._integer(key).map(Int.init)
  }
  @inlinable public static func _write(_ value: Int?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setInteger(value.map(Int64.init), key)
  }
  @inlinable public var _detached: _DetachedValue { .integer(Int64(self)) }
  @inlinable public init?(_detached: _DetachedValue) {
    guard case .integer(let value) = _detached else { return nil }
    self.init(truncatingIfNeeded: value)
  }
}

extension Int64: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Int64? {
    object._integer(key)
  }
  @inlinable public static func _write(_ value: Int64?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setInteger(value, key)
  }
  @inlinable public var _detached: _DetachedValue { .integer(Int64(self)) }
  @inlinable public init?(_detached: _DetachedValue) {
    guard case .integer(let value) = _detached else { return nil }
    self.init(truncatingIfNeeded: value)
  }
}

extension Int32: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Int32? {
    object._integer(key).map { Int32(truncatingIfNeeded: $0) }
  }
  @inlinable public static func _write(_ value: Int32?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setInteger(value.map(Int64.init), key)
  }
  @inlinable public var _detached: _DetachedValue { .integer(Int64(self)) }
  @inlinable public init?(_detached: _DetachedValue) {
    guard case .integer(let value) = _detached else { return nil }
    self.init(truncatingIfNeeded: value)
  }
}
