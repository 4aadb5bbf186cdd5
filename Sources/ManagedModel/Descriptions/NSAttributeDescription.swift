import Foundation

/// A property that holds one value.
/// See https://developer.apple.com/documentation/coredata/nsattributedescription
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  /// What kind of value the attribute holds. Default: undefined, which only a transient attribute may be.
  public var attributeType: NSAttributeType {
    get { givenAttributeType }
    set { edit(&givenAttributeType, newValue) }
  }
  private var givenAttributeType: NSAttributeType = .undefinedAttributeType

  /// What kind of value the attribute holds.
  public var type: AttributeType {
    get { AttributeType(rawValue: attributeType) }
    set { attributeType = newValue.rawValue }
  }

  /// The class of the attribute's values, of a transformable or undefined attribute.
  public var attributeValueClassName: String? {
    get { givenAttributeValueClassName }
    set { edit(&givenAttributeValueClassName, newValue) }
  }
  private var givenAttributeValueClassName: String?

  /// The value of a new object; not given to rows that are already stored.
  public var defaultValue: Any? {
    get { givenDefaultValue }
    set { edit(&givenDefaultValue, newValue) }
  }
  private var givenDefaultValue: Any?

  /// The registered name of the transformer of a transformable attribute; nil is the secure keyed archive.
  public var valueTransformerName: String? {
    get { givenValueTransformerName }
    set { edit(&givenValueTransformerName, newValue) }
  }
  private var givenValueTransformerName: String?

  /// Whether large data may be kept in files beside the store.
  public var allowsExternalBinaryDataStorage: Bool {
    get { givenAllowsExternalBinaryDataStorage }
    set { edit(&givenAllowsExternalBinaryDataStorage, newValue) }
  }
  private var givenAllowsExternalBinaryDataStorage = false

  /// Whether the last value is kept in the history of a deletion.
  public var preservesValueInHistoryOnDeletion: Bool {
    get { givenPreservesValueInHistoryOnDeletion }
    set { edit(&givenPreservesValueInHistoryOnDeletion, newValue) }
  }
  private var givenPreservesValueInHistoryOnDeletion = false

  /// Whether the value is encrypted in the cloud; kept for the sake of models that say so.
  public var allowsCloudEncryption: Bool {
    get { givenAllowsCloudEncryption }
    set { edit(&givenAllowsCloudEncryption, newValue) }
  }
  private var givenAllowsCloudEncryption = false

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSAttributeDescription()
    copy.take(from: self)
    return copy
  }

  package override func hasSameContent(as other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSAttributeDescription else { return false }
    return super.hasSameContent(as: other) && hasSameAttribute(as: other)
  }

  package override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSAttributeDescription else { return }
    attributeType = other.attributeType
    attributeValueClassName = other.attributeValueClassName
    defaultValue = other.defaultValue
    valueTransformerName = other.valueTransformerName
    allowsExternalBinaryDataStorage = other.allowsExternalBinaryDataStorage
    preservesValueInHistoryOnDeletion = other.preservesValueInHistoryOnDeletion
    allowsCloudEncryption = other.allowsCloudEncryption
  }
}

/// The kinds of attribute, with the numbers that compiled models use.
/// See https://developer.apple.com/documentation/coredata/nsattributetype
public enum NSAttributeType: UInt, Sendable {
  case undefinedAttributeType = 0
  case integer16AttributeType = 100
  case integer32AttributeType = 200
  case integer64AttributeType = 300
  case decimalAttributeType = 400
  case doubleAttributeType = 500
  case floatAttributeType = 600
  case stringAttributeType = 700
  case booleanAttributeType = 800
  case dateAttributeType = 900
  case binaryDataAttributeType = 1000
  case UUIDAttributeType = 1100
  case URIAttributeType = 1200
  case transformableAttributeType = 1800
  case objectIDAttributeType = 2000
  case compositeAttributeType = 2100
}

extension NSAttributeDescription {
  /// The kinds of attribute under their newer names.
  /// See https://developer.apple.com/documentation/coredata/nsattributedescription/attributetype
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: NSAttributeType
    public init(rawValue: NSAttributeType) { self.rawValue = rawValue }

    public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
    public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
    public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
    public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
    public static let decimal = AttributeType(rawValue: .decimalAttributeType)
    public static let double = AttributeType(rawValue: .doubleAttributeType)
    public static let float = AttributeType(rawValue: .floatAttributeType)
    public static let string = AttributeType(rawValue: .stringAttributeType)
    public static let boolean = AttributeType(rawValue: .booleanAttributeType)
    public static let date = AttributeType(rawValue: .dateAttributeType)
    public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
    public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
    public static let uri = AttributeType(rawValue: .URIAttributeType)
    public static let transformable = AttributeType(rawValue: .transformableAttributeType)
    public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
    public static let composite = AttributeType(rawValue: .compositeAttributeType)
  }
}
