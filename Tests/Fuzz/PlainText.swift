import Foundation
import StrataSupport

/// A description of a property list's contents, which is the same for equal values from different readers.
enum PlainText {
  static func of(_ value: Any) -> String {
    switch value {
    case let text as String: "text " + Array(text.unicodeScalars.map(\.value)).description
    case let data as Data: "data \(Array(data))"
    case let date as Date: "date \(date.timeIntervalSinceReferenceDate)"
    case let list as [Any]: "[" + list.map(of).joined(separator: ", ") + "]"
    case let dictionary as [String: Any]:
      "{" + dictionary.map { "\(of($0.key)): \(of($0.value))" }.sorted().joined(separator: ", ") + "}"
    default: number(value)
    }
  }

  /// The type of the number, or the type it was created from, distinguishes Booleans, integers and real numbers.
  private static func number(_ value: Any) -> String {
    switch value {
    case let flag as Bool where type(of: value) == Bool.self: "flag \(flag)"
    case let integer as Int where type(of: value) == Int.self: "integer \(integer)"
    case let real as Double where type(of: value) == Double.self: self.real(real)
    case let number as NSNumber:
      switch UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "c"), UInt8(ascii: "B"): "flag \(number.boolValue)"
      case UInt8(ascii: "f"), UInt8(ascii: "d"): real(number.doubleValue)
      // An integer may exceed the range that the reader supports.
      default:
        number.int64Value < 0 && number.doubleValue > 0 ? real(number.doubleValue) : "integer \(number.int64Value)"
      }
    default: "other \(value)"
    }
  }

  /// NaN has many representations.
  private static func real(_ number: Double) -> String { number.isNaN ? "no number" : "real \(number)" }

  /// The same value for the property list writer; nil if it contains a date, which the writer does not support.
  static func node(_ value: Any) -> PropertyListNode? {
    switch value {
    case let text as String: .string(text)
    case let data as Data: .data(data)
    case let flag as Bool where type(of: value) == Bool.self: .boolean(flag)
    case let integer as Int where type(of: value) == Int.self: .integer(Int64(integer))
    case let real as Double where type(of: value) == Double.self: .real(real)
    case let list as [Any]: nodes(list).map { .array($0) }
    case let dictionary as [String: Any]:
      nodes(dictionary.map(\.value)).map { .dictionary(Array(zip(dictionary.map(\.key), $0))) }
    default: nil
    }
  }

  private static func nodes(_ values: [Any]) -> [PropertyListNode]? {
    let nodes = values.compactMap(node)
    return nodes.count == values.count ? nodes : nil
  }
}
