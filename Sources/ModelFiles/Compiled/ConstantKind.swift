import Foundation
import StrataManagedModel
import StrataPredicates

/// Parses constants in model files, for the attribute types that can have one.
enum ConstantKind {
  case integer, double, float, decimal, boolean, string, uuid, uri

  init?(_ type: NSAttributeType) {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: self = .integer
    case .doubleAttributeType: self = .double
    case .floatAttributeType: self = .float
    case .decimalAttributeType: self = .decimal
    case .booleanAttributeType: self = .boolean
    case .stringAttributeType: self = .string
    case .UUIDAttributeType: self = .uuid
    case .URIAttributeType: self = .uri
    default: return nil
    }
  }

  /// The expectation in an error message.
  var words: String {
    switch self {
    case .integer: "a whole number"
    case .double, .float, .decimal: "a number"
    case .boolean: "YES or NO"
    case .string: "a text"
    case .uuid: "a UUID"
    case .uri: "a URI"
    }
  }

  var isNumber: Bool {
    switch self {
    case .integer, .double, .float, .decimal: true
    default: false
    }
  }

  /// Returns the value in attribute form: numbers as Foundation's, as on Apple's systems. nil if the text is invalid.
  func value(of text: String) -> Any? {
    switch self {
    case .integer: wholeNumber(text).map(NSNumber.init(value:))
    case .double: Double(text).map(NSNumber.init(value:))
    case .float: Float(text).map(NSNumber.init(value:))
    case .decimal: decimal(text).map(NSDecimalNumber.init(decimal:))
    case .boolean: flag(text).map(NSNumber.init(value:))
    case .string: text
    case .uuid: UUID(uuidString: text)
    case .uri: URL(string: text)
    }
  }

  /// Returns the value in predicate form.
  func constant(of text: String) -> PredicateValue? {
    switch self {
    case .integer: wholeNumber(text).map(PredicateValue.integer)
    case .double, .float: Double(text).map(PredicateValue.real)
    case .decimal: decimal(text).map(PredicateValue.decimal)
    default: PredicateValue(argument: value(of: text))
    }
  }

  /// Files contain integers with a zero fraction, and `NO` where an attribute once was a Boolean.
  private func wholeNumber(_ text: String) -> Int64? {
    Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) } ?? flag(text).map { $0 ? 1 : 0 }
  }

  private func decimal(_ text: String) -> Decimal? {
    Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  private func flag(_ text: String) -> Bool? {
    switch text {
    case "YES", "true", "1": true
    case "NO", "false", "0": false
    default: nil
    }
  }
}

extension NSAttributeType {
  /// The class of values in compiled models; nil for transformable and undefined attributes.
  package var valueClassName: String? {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .booleanAttributeType:
      "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    case .compositeAttributeType: "NSDictionary"
    case .objectIDAttributeType: "NSManagedObjectID"
    case .undefinedAttributeType, .transformableAttributeType: nil
    }
  }
}
