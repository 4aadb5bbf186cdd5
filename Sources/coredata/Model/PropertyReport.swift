import CoreData
import Foundation
import StrataManagedModel
import StrataPredicates

/// The common parts of all kinds of properties.
struct PropertyReport: Encodable {
  var name: String
  var isOptional: Bool
  var isTransient: Bool
  /// The previous name; nil if it was never renamed.
  var renamingIdentifier: String?
  var versionHashModifier: String?
  /// The validation predicates, each with the text or number of its error.
  var validation: [String: String]
  var userInfo: [String: String]

  init(_ property: NSPropertyDescription) {
    name = property.name
    isOptional = property.isOptional
    isTransient = property.isTransient
    renamingIdentifier = property.renamingIdentifier == property.name ? nil : property.renamingIdentifier
    versionHashModifier = property.versionHashModifier
    let rules = zip(property.validationPredicates, property.validationWarnings)
    validation = Dictionary(rules.map { (JSONValue.text(of: $0), "\($1)") }, uniquingKeysWith: { first, _ in first })
    userInfo = JSONValue.texts(property.userInfo)
  }
}

/// An attribute; composites have elements.
struct AttributeReport: Encodable {
  var property: PropertyReport
  /// The type as Xcode names it: "Integer 64".
  var type: String
  var defaultValue: JSONValue?
  var valueClassName: String?
  var valueTransformerName: String?
  /// The derivation expression.
  var derivation: String?
  var elements: [AttributeReport]
  var allowsExternalStorage: Bool
  var preservesValueInHistory: Bool
  var allowsCloudEncryption: Bool

  init(_ attribute: NSAttributeDescription) {
    property = PropertyReport(attribute)
    type = attribute.attributeType.modelWord
    let isComposite = attribute is NSCompositeAttributeDescription
    defaultValue = isComposite ? nil : attribute.defaultValue.map { JSONValue($0, of: attribute.attributeType) }
    let className = attribute.attributeValueClassName
    valueClassName = className == attribute.attributeType.valueClassName ? nil : className
    valueTransformerName = attribute.valueTransformerName
    derivation = (attribute as? NSDerivedAttributeDescription)?.givenDerivation?.description
    elements = (attribute as? NSCompositeAttributeDescription)?.elements.map(AttributeReport.init) ?? []
    allowsExternalStorage = attribute.allowsExternalBinaryDataStorage
    preservesValueInHistory = attribute.preservesValueInHistoryOnDeletion
    allowsCloudEncryption = attribute.allowsCloudEncryption
  }

  enum CodingKeys: CodingKey {
    case type, defaultValue, valueClassName, valueTransformerName, derivation, elements, allowsExternalStorage,
      preservesValueInHistory, allowsCloudEncryption
  }

  func encode(to encoder: any Encoder) throws {
    try property.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(type, forKey: .type)
    try values.encodeIfPresent(defaultValue, forKey: .defaultValue)
    try values.encodeIfPresent(valueClassName, forKey: .valueClassName)
    try values.encodeIfPresent(valueTransformerName, forKey: .valueTransformerName)
    try values.encodeIfPresent(derivation, forKey: .derivation)
    if !elements.isEmpty { try values.encode(elements, forKey: .elements) }
    try values.encode(allowsExternalStorage, forKey: .allowsExternalStorage)
    try values.encode(preservesValueInHistory, forKey: .preservesValueInHistory)
    try values.encode(allowsCloudEncryption, forKey: .allowsCloudEncryption)
  }
}

/// A relationship.
struct RelationshipReport: Encodable {
  var property: PropertyReport
  var destination: String?
  var inverse: String?
  var isToMany: Bool
  var isOrdered: Bool
  var minCount: Int
  /// 0 means unlimited.
  var maxCount: Int
  /// "nullify", "cascade", "deny" or "no action".
  var deleteRule: String

  init(_ relationship: NSRelationshipDescription) {
    property = PropertyReport(relationship)
    destination = relationship.destinationEntity?.name
    inverse = relationship.inverseRelationship?.name
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    minCount = relationship.minCount
    maxCount = relationship.maxCount
    deleteRule =
      switch relationship.deleteRule {
      case .noActionDeleteRule: "no action"
      case .nullifyDeleteRule: "nullify"
      case .cascadeDeleteRule: "cascade"
      case .denyDeleteRule: "deny"
      }
  }

  enum CodingKeys: CodingKey {
    case destination, inverse, isToMany, isOrdered, minCount, maxCount, deleteRule
  }

  func encode(to encoder: any Encoder) throws {
    try property.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(destination, forKey: .destination)
    try values.encodeIfPresent(inverse, forKey: .inverse)
    try values.encode(isToMany, forKey: .isToMany)
    try values.encode(isOrdered, forKey: .isOrdered)
    try values.encode(minCount, forKey: .minCount)
    try values.encode(maxCount, forKey: .maxCount)
    try values.encode(deleteRule, forKey: .deleteRule)
  }
}

/// A fetched property.
struct FetchedReport: Encodable {
  var name: String
  var request: RequestReport?
  var userInfo: [String: String]

  init(_ property: NSFetchedPropertyDescription) {
    name = property.name
    request = property.template.map(RequestReport.init)
    userInfo = JSONValue.texts(property.userInfo)
  }
}
