import Foundation
import StrataFormats

/// A constant in a model file, of the type of its attribute.
package enum ModelConstant {
  case integer(Int64)
  case double(Double)
  case float(Float)
  case decimal(Decimal)
  case boolean(Bool)
  case string(String)
  case uuid(UUID)
  case uri(URL)
  case date(seconds: Double)

  /// Reads a constant; nil if the text is invalid, or the type has no constants.
  init?(_ text: String, type: NSAttributeType) {
    let value: ModelConstant? =
      switch type {
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
        Self.wholeNumber(text).map(ModelConstant.integer)
      case .doubleAttributeType: Double(text).map(ModelConstant.double)
      case .floatAttributeType: Float(text).map(ModelConstant.float)
      case .decimalAttributeType:
        Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map(ModelConstant.decimal)
      case .booleanAttributeType: Self.flag(text).map(ModelConstant.boolean)
      case .stringAttributeType: .string(text)
      case .UUIDAttributeType: UUID(uuidString: text).map(ModelConstant.uuid)
      case .URIAttributeType: URL(string: text).map(ModelConstant.uri)
      default: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// Returns what a constant of a type is called in messages; nil if the type has no constants.
  static func description(of type: NSAttributeType) -> String? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: "a whole number"
    case .doubleAttributeType, .floatAttributeType, .decimalAttributeType: "a number"
    case .booleanAttributeType: "YES or NO"
    case .stringAttributeType: "a text"
    case .UUIDAttributeType: "a UUID"
    case .URIAttributeType: "a URI"
    default: nil
    }
  }

  /// The constant in a predicate; nil for those that bound no attribute.
  var predicateText: String? {
    switch self {
    case .integer(let value): String(value)
    case .double(let value): Self.predicateText(of: value)
    case .float(let value): Self.predicateText(of: Double(value))
    case .decimal(let value): "CAST(\"\(value)\", \"NSDecimalNumber\")"
    case .string(let text): text.predicateLiteral
    case .date(let seconds): Self.predicateText(ofDate: seconds)
    case .boolean, .uuid, .uri: nil
    }
  }

  private static func predicateText(of value: Double) -> String {
    value.isFinite ? "\(value)" : "CAST(\"\(value)\", \"NSNumber\")"
  }

  private static func predicateText(ofDate seconds: Double) -> String {
    let short = String(format: "%.6f", seconds)
    return "CAST(\(Double(short) == seconds ? short : "\(seconds)"), \"NSDate\")"
  }

  /// Files contain integers with a zero fraction, and `NO` where an attribute once was a Boolean.
  private static func wholeNumber(_ text: String) -> Int64? {
    Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) } ?? flag(text).map { $0 ? 1 : 0 }
  }

  private static func flag(_ text: String) -> Bool? {
    switch text {
    case "YES", "true", "1": true
    case "NO", "false", "0": false
    default: nil
    }
  }
}

extension ModelArchiveEncoder {
  mutating func constant(_ constant: ModelConstant?) {
    switch constant {
    case nil: kind(.null)
    case .integer(let value):
      kind(.integer)
      signed(value)
    case .double(let value):
      kind(.double)
      bits(value.bitPattern)
    case .float(let value):
      kind(.float)
      bits(UInt64(value.bitPattern))
    case .decimal(let value):
      kind(.decimal)
      text("\(value)")
    case .boolean(let flag): kind(flag ? .yes : .no)
    case .string(let value):
      kind(.text)
      text(value)
    case .uuid(let value):
      kind(.uuid)
      text(value.uuidString)
    case .uri(let value):
      kind(.url)
      text(value.absoluteString)
    case .date(let seconds):
      kind(.date)
      bits(seconds.bitPattern)
    }
  }
}
