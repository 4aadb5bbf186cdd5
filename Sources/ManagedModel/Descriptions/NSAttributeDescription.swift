import Foundation
import StrataFormats

/// A property that holds one value, such as a number, a string or a date.
///
/// ```swift
/// let magnitude = NSAttributeDescription()
/// magnitude.name = "magnitude"
/// magnitude.type = .double
/// magnitude.defaultValue = 0.0
/// magnitude.setValidationPredicates(
///   [NSPredicate(format: "SELF <= 10")],
///   withValidationWarnings: ["The magnitude is too large."])
/// ```
///
/// See <https://developer.apple.com/documentation/coredata/nsattributedescription>
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  /// The type of the attribute's values. Default: undefined, which is valid only for a transient attribute.
  public var attributeType: NSAttributeType {
    get { givenAttributeType }
    set { edit(&givenAttributeType, to: newValue) }
  }
  @exclusivity(unchecked) private var givenAttributeType: NSAttributeType = .undefinedAttributeType

  /// The type of the attribute's values.
  public var type: AttributeType {
    get { AttributeType(rawValue: attributeType) }
    set { attributeType = newValue.rawValue }
  }

  /// The class name of the attribute's values, such as `NSString`. It follows from the type; for a transformable or
  /// undefined attribute, it is nil until it is set.
  public var attributeValueClassName: String? {
    get { givenAttributeValueClassName ?? attributeType.valueClassName }
    // The name that follows from the type is not kept, so that it changes with the type.
    set { edit(&givenAttributeValueClassName, to: newValue == attributeType.valueClassName ? nil : newValue) }
  }
  @exclusivity(unchecked) private var givenAttributeValueClassName: String?

  /// The value of a new object. Rows that are already stored keep their value.
  ///
  /// A lightweight migration that adds a required attribute gives it to the rows.
  ///
  /// ```swift
  /// let depth = NSAttributeDescription()
  /// depth.name = "depth"
  /// depth.type = .double
  /// depth.isOptional = false
  /// depth.defaultValue = 0.0  // Also lets older stores be migrated.
  /// ```
  public var defaultValue: Any? {
    get { givenDefaultValue }
    set { edit(&givenDefaultValue, to: newValue) }
  }
  @exclusivity(unchecked) private var givenDefaultValue: Any?

  /// The registered name of a transformable attribute's value transformer; nil for the secure keyed archive.
  public var valueTransformerName: String? {
    get { givenValueTransformerName }
    set { edit(&givenValueTransformerName, to: newValue) }
  }
  @exclusivity(unchecked) private var givenValueTransformerName: String?

  /// Whether large data may be stored in files next to the store.
  public var allowsExternalBinaryDataStorage: Bool {
    get { givenAllowsExternalBinaryDataStorage }
    set { edit(&givenAllowsExternalBinaryDataStorage, to: newValue) }
  }
  @exclusivity(unchecked) private var givenAllowsExternalBinaryDataStorage = false

  /// Whether the history keeps the last value of a deleted object as a tombstone.
  public var preservesValueInHistoryOnDeletion: Bool {
    get { givenPreservesValueInHistoryOnDeletion }
    set { edit(&givenPreservesValueInHistoryOnDeletion, to: newValue) }
  }
  @exclusivity(unchecked) private var givenPreservesValueInHistoryOnDeletion = false

  /// Whether the value is encrypted in the cloud. Kept for models that set it; it has no effect here.
  public var allowsCloudEncryption: Bool {
    get { givenAllowsCloudEncryption }
    set { edit(&givenAllowsCloudEncryption, to: newValue) }
  }
  @exclusivity(unchecked) private var givenAllowsCloudEncryption = false

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSAttributeDescription()
    copy.copyContents(from: self)
    return copy
  }

  package override func hasSameContent(as other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSAttributeDescription else { return false }
    return super.hasSameContent(as: other) && hasSameAttribute(as: other)
  }

  package override func copyContents(from other: NSPropertyDescription) {
    super.copyContents(from: other)
    guard let other = other as? NSAttributeDescription else { return }
    attributeType = other.attributeType
    givenAttributeValueClassName = other.givenAttributeValueClassName
    defaultValue = other.defaultValue
    valueTransformerName = other.valueTransformerName
    allowsExternalBinaryDataStorage = other.allowsExternalBinaryDataStorage
    preservesValueInHistoryOnDeletion = other.preservesValueInHistoryOnDeletion
    allowsCloudEncryption = other.allowsCloudEncryption
  }
}

extension NSAttributeDescription {
  /// The type of an attribute's values, under its Swift name.
  ///
  /// See <https://developer.apple.com/documentation/coredata/nsattributedescription/attributetype>
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// The same type as an `NSAttributeType`.
    public let rawValue: NSAttributeType
    /// Creates a type from an `NSAttributeType`.
    public init(rawValue: NSAttributeType) { self.rawValue = rawValue }

    /// Any value. Valid only for transient attributes.
    public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
    /// A 16-bit signed integer.
    public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
    /// A 32-bit signed integer.
    public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
    /// A 64-bit signed integer.
    public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
    /// A decimal number: `NSDecimalNumber` or `Decimal`.
    public static let decimal = AttributeType(rawValue: .decimalAttributeType)
    /// A 64-bit floating-point number.
    public static let double = AttributeType(rawValue: .doubleAttributeType)
    /// A 32-bit floating-point number.
    public static let float = AttributeType(rawValue: .floatAttributeType)
    /// A string.
    public static let string = AttributeType(rawValue: .stringAttributeType)
    /// A Boolean.
    public static let boolean = AttributeType(rawValue: .booleanAttributeType)
    /// A date, stored as seconds since 2001-01-01 00:00 UTC.
    public static let date = AttributeType(rawValue: .dateAttributeType)
    /// Bytes: `Data`.
    public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
    /// A UUID.
    public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
    /// A URI: `URL`.
    public static let uri = AttributeType(rawValue: .URIAttributeType)
    /// Any object that a value transformer turns into data.
    public static let transformable = AttributeType(rawValue: .transformableAttributeType)
    /// A managed object ID. Valid only in the results of a dictionary fetch.
    public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
    /// Several named values: see ``NSCompositeAttributeDescription``.
    public static let composite = AttributeType(rawValue: .compositeAttributeType)
  }
}
