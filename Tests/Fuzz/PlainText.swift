import Foundation
import StrataSupport

/// What a property list says, as a text that is the same for equal values, whoever read it.
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

  /// Whether a number is a truth value, a whole one or another is told by its type, or by that which it was made of.
  private static func number(_ value: Any) -> String {
    switch value {
    case let flag as Bool where type(of: value) == Bool.self: "flag \(flag)"
    case let integer as Int where type(of: value) == Int.self: "integer \(integer)"
    case let real as Double where type(of: value) == Double.self: self.real(real)
    case let number as NSNumber:
      switch UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "c"), UInt8(ascii: "B"): "flag \(number.boolValue)"
      case UInt8(ascii: "f"), UInt8(ascii: "d"): real(number.doubleValue)
      // A whole number may exceed what we read as one.
      default:
        number.int64Value < 0 && number.doubleValue > 0 ? real(number.doubleValue) : "integer \(number.int64Value)"
      }
    default: "other \(value)"
    }
  }

  /// A number that is none has many forms.
  private static func real(_ number: Double) -> String { number.isNaN ? "no number" : "real \(number)" }

  /// The same value for our writer; nil if it has a date, which that does not write.
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
