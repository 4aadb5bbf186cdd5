import CoreData
import Foundation

/// A type whose values an attribute of the store has as they are.
protocol StoredValue: SendableMetatype {
  static var attributeType: NSAttributeType { get }

  /// Returns an attribute's value; nil for NULL.
  static func read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Self?

  /// Sets an attribute's value, or removes it.
  static func write(_ value: Self?, _ key: borrowing _ManagedKey, of object: NSManagedObject)
}

// MARK: Numbers

protocol StoredInteger: StoredValue, FixedWidthInteger {}

extension StoredInteger {
  static func read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Self? {
    object._integer(key).map { Self(truncatingIfNeeded: $0) }
  }

  static func write(_ value: Self?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setInteger(value.map(Int64.init(truncatingIfNeeded:)), key)
  }
}

extension Int: StoredInteger { static var attributeType: NSAttributeType { .integer64AttributeType } }
extension Int64: StoredInteger { static var attributeType: NSAttributeType { .integer64AttributeType } }
extension Int32: StoredInteger { static var attributeType: NSAttributeType { .integer32AttributeType } }
extension Int16: StoredInteger { static var attributeType: NSAttributeType { .integer16AttributeType } }
extension Int8: StoredInteger { static var attributeType: NSAttributeType { .integer16AttributeType } }
extension UInt32: StoredInteger { static var attributeType: NSAttributeType { .integer64AttributeType } }
extension UInt16: StoredInteger { static var attributeType: NSAttributeType { .integer32AttributeType } }
extension UInt8: StoredInteger { static var attributeType: NSAttributeType { .integer16AttributeType } }

extension Bool: StoredValue {
  static var attributeType: NSAttributeType { .booleanAttributeType }

  static func read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Bool? {
    object._integer(key).map { $0 != 0 }
  }

  static func write(_ value: Bool?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setInteger(value.map { $0 ? 1 : 0 }, key)
  }
}

extension Double: StoredValue {
  static var attributeType: NSAttributeType { .doubleAttributeType }

  static func read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Double? { object._double(key) }

  static func write(_ value: Double?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setDouble(value, key)
  }
}

extension Float: StoredValue {
  static var attributeType: NSAttributeType { .floatAttributeType }

  static func read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Float? {
    object._double(key).map(Float.init)
  }

  static func write(_ value: Float?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setDouble(value.map(Double.init), key)
  }
}

// MARK: Texts and dates

extension String: StoredValue {
  static var attributeType: NSAttributeType { .stringAttributeType }

  static func read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> String? { object._string(key) }

  static func write(_ value: String?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setString(value, key)
  }
}

extension Date: StoredValue {
  static var attributeType: NSAttributeType { .dateAttributeType }

  static func read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Date? { object._date(key) }

  static func write(_ value: Date?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setDate(value, key)
  }
}

// MARK: Values that the object boxes

protocol BoxedValue: StoredValue {}

extension BoxedValue {
  static func read(_ key: borrowing _ManagedKey, of object: NSManagedObject) -> Self? {
    object._valueIfAny(key, as: Self.self)
  }

  static func write(_ value: Self?, _ key: borrowing _ManagedKey, of object: NSManagedObject) {
    object._setValue(value, key)
  }
}

extension Data: BoxedValue { static var attributeType: NSAttributeType { .binaryDataAttributeType } }
extension UUID: BoxedValue { static var attributeType: NSAttributeType { .UUIDAttributeType } }
extension URL: BoxedValue { static var attributeType: NSAttributeType { .URIAttributeType } }
extension Decimal: BoxedValue { static var attributeType: NSAttributeType { .decimalAttributeType } }
