import CoreData
import Foundation

/// A type whose values a managed object reads and writes without a conversion.
///
/// Only for code that `@Model` generates. A program cannot add types.
public protocol _DirectValue: Codable {
  static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Self?
  static func _write(_ value: Self?, _ key: borrowing _ManagedKey, of object: NSManagedObject)
}

extension String: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> String? {
    object._string(key)
  }
  @inlinable public static func _write(_ value: String?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setString(value, key)
  }
}

extension Date: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Date? {
    object._date(key)
  }
  @inlinable public static func _write(_ value: Date?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setDate(value, key)
  }
}

extension Double: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Double? {
    object._double(key)
  }
  @inlinable public static func _write(_ value: Double?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setDouble(value, key)
  }
}

extension Bool: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Bool? {
    object._integer(key).map { $0 != 0 }
  }
  @inlinable public static func _write(_ value: Bool?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setInteger(value.map { $0 ? 1 : 0 }, key)
  }
}

extension Int: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Int? {
    object._integer(key).map(Int.init)
  }
  @inlinable public static func _write(_ value: Int?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setInteger(value.map(Int64.init), key)
  }
}

extension Int64: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Int64? {
    object._integer(key)
  }
  @inlinable public static func _write(_ value: Int64?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setInteger(value, key)
  }
}

extension Int32: _DirectValue {
  @inlinable public static func _read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Int32? {
    object._integer(key).map { Int32(truncatingIfNeeded: $0) }
  }
  @inlinable public static func _write(_ value: Int32?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setInteger(value.map(Int64.init), key)
  }
}
