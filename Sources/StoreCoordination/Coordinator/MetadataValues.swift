import Foundation

/// Metadata as programs set and read them, and as stores keep them.
///
/// Programs read numbers as `NSNumber`, which casts to every type of number that can hold it, as on Apple's platforms.
/// Stores keep `Bool`, `Int` and `Double`, which any thread may read.
enum MetadataValues {
  /// Converts property-list values to those that stores keep; anything else becomes its description.
  static func stored(_ dictionary: [String: Any]) -> [String: any Sendable] { dictionary.mapValues(stored) }

  private static func stored(_ value: Any) -> any Sendable {
    switch value {
    case let dictionary as [String: Data]: dictionary
    case let dictionary as [String: Any]: stored(dictionary)
    case let list as [Any]: list.map(stored)
    case let text as String: text
    case let data as Data: data
    case let date as Date: date
    case let number as NSNumber: stored(number)
    case let real as any BinaryFloatingPoint: Double(real)
    default: String(describing: value)
    }
  }

  private static func stored(_ number: NSNumber) -> any Sendable {
    if type(of: number) == type(of: NSNumber(value: true)) { return number.boolValue }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "f"), UInt8(ascii: "d"): return number.doubleValue
    case UInt8(ascii: "Q"): return Int(exactly: number.uint64Value) ?? number.doubleValue
    default: return number.intValue
    }
  }

  /// Converts the values that stores keep to those that programs read.
  static func shown(_ dictionary: [String: any Sendable]) -> [String: Any] { dictionary.mapValues(shown) }

  private static func shown(_ value: any Sendable) -> Any {
    switch value {
    case let flag as Bool: NSNumber(value: flag)
    case let integer as Int: NSNumber(value: integer)
    case let real as Double: NSNumber(value: real)
    case let data as [String: Data]: data
    case let texts as [String]: texts
    case let dictionary as [String: any Sendable]: shown(dictionary)
    case let list as [any Sendable]: list.map(shown)
    default: value
    }
  }
}
