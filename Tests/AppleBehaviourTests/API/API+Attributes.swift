import CoreData
import Testing

/// Attributes and relationships of a model.
@Suite struct AttributesAPI {
  @Test func ofAttributesIsThere() {
    use(
      "property|NSAttributeDescription|allowsCloudEncryption",
      \NSAttributeDescription.allowsCloudEncryption as ReferenceWritableKeyPath<NSAttributeDescription, Bool>)
    use(
      "property|NSAttributeDescription|allowsExternalBinaryDataStorage",
      \NSAttributeDescription.allowsExternalBinaryDataStorage as ReferenceWritableKeyPath<NSAttributeDescription, Bool>)
    use(
      "property|NSAttributeDescription|attributeType",
      \NSAttributeDescription.attributeType as ReferenceWritableKeyPath<NSAttributeDescription, NSAttributeType>)
    use(
      "property|NSAttributeDescription|attributeValueClassName",
      \NSAttributeDescription.attributeValueClassName as ReferenceWritableKeyPath<NSAttributeDescription, String?>)
    use(
      "property|NSAttributeDescription|defaultValue",
      \NSAttributeDescription.defaultValue as ReferenceWritableKeyPath<NSAttributeDescription, Any?>)
    use("struct|NSAttributeDescription|NSAttributeDescription.AttributeType", NSAttributeDescription.AttributeType.self)
    use(
      "property|NSAttributeDescription|preservesValueInHistoryOnDeletion",
      \NSAttributeDescription.preservesValueInHistoryOnDeletion
        as ReferenceWritableKeyPath<NSAttributeDescription, Bool>)
    use(
      "property|NSAttributeDescription|type",
      \NSAttributeDescription.type
        as ReferenceWritableKeyPath<NSAttributeDescription, NSAttributeDescription.AttributeType>)
    use(
      "property|NSAttributeDescription|valueTransformerName",
      \NSAttributeDescription.valueTransformerName as ReferenceWritableKeyPath<NSAttributeDescription, String?>)
    use(
      "property|NSAttributeDescription|versionHash",
      \NSAttributeDescription.versionHash as KeyPath<NSAttributeDescription, Data>)
    use("init|NSAttributeDescription|init()", NSAttributeDescription.init as () -> NSAttributeDescription)
    use("class||NSAttributeDescription", NSAttributeDescription.self)
    use(
      "type-property|NSAttributeDescription.AttributeType|binaryData",
      NSAttributeDescription.AttributeType.binaryData as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|boolean",
      NSAttributeDescription.AttributeType.boolean as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|composite",
      NSAttributeDescription.AttributeType.composite as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|date",
      NSAttributeDescription.AttributeType.date as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|decimal",
      NSAttributeDescription.AttributeType.decimal as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|double",
      NSAttributeDescription.AttributeType.double as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|float",
      NSAttributeDescription.AttributeType.float as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|integer16",
      NSAttributeDescription.AttributeType.integer16 as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|integer32",
      NSAttributeDescription.AttributeType.integer32 as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|integer64",
      NSAttributeDescription.AttributeType.integer64 as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|objectID",
      NSAttributeDescription.AttributeType.objectID as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|string",
      NSAttributeDescription.AttributeType.string as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|transformable",
      NSAttributeDescription.AttributeType.transformable as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|undefined",
      NSAttributeDescription.AttributeType.undefined as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|uri",
      NSAttributeDescription.AttributeType.uri as NSAttributeDescription.AttributeType)
    use(
      "type-property|NSAttributeDescription.AttributeType|uuid",
      NSAttributeDescription.AttributeType.uuid as NSAttributeDescription.AttributeType)
    use(
      "init|NSAttributeDescription.AttributeType|init(rawValue:)",
      NSAttributeDescription.AttributeType.init(rawValue:) as (NSAttributeType) -> NSAttributeDescription.AttributeType)
    use(
      "property|NSAttributeDescription.AttributeType|rawValue",
      \NSAttributeDescription.AttributeType.rawValue as KeyPath<NSAttributeDescription.AttributeType, NSAttributeType>)
    use(
      "conformance|NSAttributeDescription.AttributeType|Hashable, RawRepresentable",
      NSAttributeDescription.AttributeType.self as any (Hashable & RawRepresentable).Type)
    use("init|NSAttributeType|init(rawValue:)", NSAttributeType.init(rawValue:) as (UInt) -> NSAttributeType?)
    use("case|NSAttributeType|binaryDataAttributeType", NSAttributeType.binaryDataAttributeType)
    use("case|NSAttributeType|booleanAttributeType", NSAttributeType.booleanAttributeType)
    use("case|NSAttributeType|compositeAttributeType", NSAttributeType.compositeAttributeType)
    use("case|NSAttributeType|dateAttributeType", NSAttributeType.dateAttributeType)
    use("case|NSAttributeType|decimalAttributeType", NSAttributeType.decimalAttributeType)
    use("case|NSAttributeType|doubleAttributeType", NSAttributeType.doubleAttributeType)
    use("case|NSAttributeType|floatAttributeType", NSAttributeType.floatAttributeType)
    use("case|NSAttributeType|integer16AttributeType", NSAttributeType.integer16AttributeType)
    use("case|NSAttributeType|integer32AttributeType", NSAttributeType.integer32AttributeType)
    use("case|NSAttributeType|integer64AttributeType", NSAttributeType.integer64AttributeType)
    use("case|NSAttributeType|objectIDAttributeType", NSAttributeType.objectIDAttributeType)
    use("case|NSAttributeType|stringAttributeType", NSAttributeType.stringAttributeType)
    use("case|NSAttributeType|transformableAttributeType", NSAttributeType.transformableAttributeType)
    use("case|NSAttributeType|undefinedAttributeType", NSAttributeType.undefinedAttributeType)
    use("case|NSAttributeType|URIAttributeType", NSAttributeType.URIAttributeType)
    use("case|NSAttributeType|UUIDAttributeType", NSAttributeType.UUIDAttributeType)
    use("enum||NSAttributeType", NSAttributeType.self)
  }

  @Test func ofRelationshipsIsThere() {
    use(
      "property|NSRelationshipDescription|deleteRule",
      \NSRelationshipDescription.deleteRule as ReferenceWritableKeyPath<NSRelationshipDescription, NSDeleteRule>)
    use(
      "property|NSRelationshipDescription|destinationEntity",
      \NSRelationshipDescription.destinationEntity
        as ReferenceWritableKeyPath<NSRelationshipDescription, NSEntityDescription?>)
    use(
      "property|NSRelationshipDescription|inverseRelationship",
      \NSRelationshipDescription.inverseRelationship
        as ReferenceWritableKeyPath<NSRelationshipDescription, NSRelationshipDescription?>)
    use(
      "property|NSRelationshipDescription|isOrdered",
      \NSRelationshipDescription.isOrdered as ReferenceWritableKeyPath<NSRelationshipDescription, Bool>)
    use(
      "property|NSRelationshipDescription|isToMany",
      \NSRelationshipDescription.isToMany as KeyPath<NSRelationshipDescription, Bool>)
    use(
      "property|NSRelationshipDescription|maxCount",
      \NSRelationshipDescription.maxCount as ReferenceWritableKeyPath<NSRelationshipDescription, Int>)
    use(
      "property|NSRelationshipDescription|minCount",
      \NSRelationshipDescription.minCount as ReferenceWritableKeyPath<NSRelationshipDescription, Int>)
    use(
      "property|NSRelationshipDescription|versionHash",
      \NSRelationshipDescription.versionHash as KeyPath<NSRelationshipDescription, Data>)
    use("init|NSRelationshipDescription|init()", NSRelationshipDescription.init as () -> NSRelationshipDescription)
    use("class||NSRelationshipDescription", NSRelationshipDescription.self)
    use("init|NSDeleteRule|init(rawValue:)", NSDeleteRule.init(rawValue:) as (UInt) -> NSDeleteRule?)
    use("case|NSDeleteRule|cascadeDeleteRule", NSDeleteRule.cascadeDeleteRule)
    use("case|NSDeleteRule|denyDeleteRule", NSDeleteRule.denyDeleteRule)
    use("case|NSDeleteRule|noActionDeleteRule", NSDeleteRule.noActionDeleteRule)
    use("case|NSDeleteRule|nullifyDeleteRule", NSDeleteRule.nullifyDeleteRule)
    use("enum||NSDeleteRule", NSDeleteRule.self)
    use(
      "init|NSFetchIndexElementType|init(rawValue:)",
      NSFetchIndexElementType.init(rawValue:) as (UInt) -> NSFetchIndexElementType?)
    use("case|NSFetchIndexElementType|binary", NSFetchIndexElementType.binary)
    use("case|NSFetchIndexElementType|rTree", NSFetchIndexElementType.rTree)
    use("enum||NSFetchIndexElementType", NSFetchIndexElementType.self)
  }
}
