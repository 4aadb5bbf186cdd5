/// The type of an attribute's values, with the raw values that compiled models use.
///
/// See <https://developer.apple.com/documentation/coredata/nsattributetype>
public enum NSAttributeType: UInt, Sendable {
  /// Any value. Valid only for transient attributes.
  case undefinedAttributeType = 0
  /// A 16-bit signed integer.
  case integer16AttributeType = 100
  /// A 32-bit signed integer.
  case integer32AttributeType = 200
  /// A 64-bit signed integer.
  case integer64AttributeType = 300
  /// A decimal number: `NSDecimalNumber` or `Decimal`.
  case decimalAttributeType = 400
  /// A 64-bit floating-point number.
  case doubleAttributeType = 500
  /// A 32-bit floating-point number.
  case floatAttributeType = 600
  /// A string.
  case stringAttributeType = 700
  /// A Boolean.
  case booleanAttributeType = 800
  /// A date, stored as seconds since 2001-01-01 00:00 UTC.
  case dateAttributeType = 900
  /// Bytes: `Data`.
  case binaryDataAttributeType = 1000
  /// A UUID.
  case UUIDAttributeType = 1100
  /// A URI: `URL`.
  case URIAttributeType = 1200
  /// Any object that a value transformer turns into data.
  case transformableAttributeType = 1800
  /// A managed object ID. Valid only in the results of a dictionary fetch.
  case objectIDAttributeType = 2000
  /// Several named values: see ``NSCompositeAttributeDescription``.
  case compositeAttributeType = 2100
}

extension NSAttributeType {
  /// Creates a type from its name in a model file, such as `Integer 16`.
  package init?(modelWord word: String) {
    guard let type = Self.modelWords.first(where: { $0.word == word })?.type else { return nil }
    self = type
  }

  private static let modelWords: [(word: String, type: NSAttributeType)] = [
    ("Undefined", .undefinedAttributeType), ("Integer 16", .integer16AttributeType),
    ("Integer 32", .integer32AttributeType), ("Integer 64", .integer64AttributeType),
    ("Decimal", .decimalAttributeType), ("Double", .doubleAttributeType), ("Float", .floatAttributeType),
    ("String", .stringAttributeType), ("Boolean", .booleanAttributeType), ("Date", .dateAttributeType),
    ("Binary", .binaryDataAttributeType), ("UUID", .UUIDAttributeType), ("URI", .URIAttributeType),
    ("Transformable", .transformableAttributeType), ("Object ID", .objectIDAttributeType),
    ("Composite", .compositeAttributeType),
  ]

  /// The name in a model file.
  package var modelWord: String { Self.modelWords.first { $0.type == self }?.word ?? "Undefined" }
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

/// The rule for related objects when an object is deleted.
///
/// See <https://developer.apple.com/documentation/coredata/nsdeleterule>
public enum NSDeleteRule: UInt, Sendable {
  /// Nothing happens: related objects keep a reference to an object that no longer exists.
  case noActionDeleteRule = 0
  /// Related objects lose their reference to the deleted object.
  case nullifyDeleteRule = 1
  /// Related objects are deleted too.
  case cascadeDeleteRule = 2
  /// The save fails while there are related objects.
  case denyDeleteRule = 3
}

/// The arrangement of values in a fetch index.
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchindexelementtype>
public enum NSFetchIndexElementType: UInt, Sendable {
  /// In a B-tree, ordered by value.
  case binary = 0
  /// In an R-tree, for range queries over several numeric attributes.
  case rTree = 1
}
