import Foundation
import StrataManagedModel
import StrataPredicates
import Testing

/// The interpretation of each XML attribute of a model's source.
@Suite struct ModelSourceTests {
  @Test func `entities have their class, parent, modifier and user info`() throws {
    let model = try model(
      """
      <entity name="Event" representedClassName=".Event" isAbstract="YES" syncable="YES" versionHashModifier="2">
          <attribute name="at" attributeType="Date"/>
          <userInfo><entry key="k" value="v"/><entry key="empty" value=""/></userInfo>
      </entity>
      <entity name="Plain"/>
      <entity name="Quake" representedClassName="Seismic.Quake" parentEntity="Event" elementID="Tremor"/>
      """, module: "Shared")
    let event = try #require(model.entitiesByName["Event"])
    let quake = try #require(model.entitiesByName["Quake"])
    #expect(model.entities.map(\.name) == ["Event", "Plain", "Quake"])
    #expect(event.managedObjectClassName == "Shared.Event")
    #expect(event.isAbstract && event.versionHashModifier == "2")
    #expect(event.userInfo as? [String: String] == ["k": "v", "empty": ""])
    #expect(quake.superentity?.name == "Event" && quake.propertiesByName.keys.contains("at"))
    #expect(quake.managedObjectClassName == "Seismic.Quake" && quake.renamingIdentifier == "Tremor")
    #expect(model.entitiesByName["Plain"]?.managedObjectClassName == "NSManagedObject")
  }

  @Test func `a class of the current module has no prefix without a module`() throws {
    let model = try model("<entity name=\"E\" representedClassName=\".E\"/>")
    #expect(model.entities[0].managedObjectClassName == "E")
  }

  @Test(arguments: [
    ("Integer 16", NSAttributeType.integer16AttributeType, "NSNumber"),
    ("Integer 32", .integer32AttributeType, "NSNumber"), ("Integer 64", .integer64AttributeType, "NSNumber"),
    ("Decimal", .decimalAttributeType, "NSDecimalNumber"), ("Double", .doubleAttributeType, "NSNumber"),
    ("Float", .floatAttributeType, "NSNumber"), ("String", .stringAttributeType, "NSString"),
    ("Boolean", .booleanAttributeType, "NSNumber"), ("Date", .dateAttributeType, "NSDate"),
    ("Binary", .binaryDataAttributeType, "NSData"), ("UUID", .UUIDAttributeType, "NSUUID"),
    ("URI", .URIAttributeType, "NSURL"),
  ])
  func `attributes have their type and class`(_ word: String, _ type: NSAttributeType, _ name: String) throws {
    let attribute = try parsedAttribute("attributeType=\"\(word)\" optional=\"YES\"")
    #expect(attribute.attributeType == type && attribute.attributeValueClassName == name)
    #expect(attribute.isOptional && !attribute.isTransient)
    #expect(type.modelWord == word)
  }

  @Test func `attributes have their flags`() throws {
    let plain = try parsedAttribute("attributeType=\"Binary\"")
    #expect(!plain.isOptional && !plain.allowsExternalBinaryDataStorage && plain.renamingIdentifier == "a")
    let all = try parsedAttribute(
      """
      optional="YES" transient="YES" syncable="YES" attributeType="Binary" usesScalarValueType="NO"
      allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES" allowsCloudEncryption="YES"
      spotlightIndexingEnabled="YES" storedInTruthFile="YES" elementID="old" versionHashModifier="m"
      """, "<userInfo><entry key=\"k\" value=\"v\"/></userInfo>")
    #expect(all.isOptional && all.isTransient && all.allowsExternalBinaryDataStorage)
    #expect(all.preservesValueInHistoryOnDeletion && all.allowsCloudEncryption && all.isIndexedBySpotlight)
    #expect(all.isStoredInExternalRecord && all.renamingIdentifier == "old" && all.versionHashModifier == "m")
    #expect(all.userInfo as? [String: String] == ["k": "v"])
    #expect(try parsedAttribute("transient=\"YES\"").attributeType == .undefinedAttributeType)
  }

  @Test func `transformable attributes have their class and transformer`() throws {
    let attribute = try parsedAttribute(
      "attributeType=\"Transformable\" customClassName=\"[String]\" valueTransformerName=\"NSSecureUnarchiveFromData\"")
    #expect(attribute.attributeValueClassName == "[String]")
    #expect(attribute.valueTransformerName == "NSSecureUnarchiveFromData")
    let plain = try parsedAttribute("attributeType=\"Transformable\" valueTransformerName=\"\"")
    #expect(plain.attributeValueClassName == nil && plain.valueTransformerName == nil)
  }

  @Test func `defaults have the attribute's type`() throws {
    func value(_ words: String) throws -> Any? { try parsedAttribute(words).defaultValue }
    #expect(try value("attributeType=\"Integer 64\" defaultValueString=\"-7\"") as? Int == -7)
    #expect(try value("attributeType=\"Integer 16\" defaultValueString=\"NO\"") as? Int16 == 0)
    #expect(try value("attributeType=\"Double\" defaultValueString=\"0.1\"") as? Double == 0.1)
    #expect(try value("attributeType=\"Float\" defaultValueString=\"0.1\"") as? Float == 0.1)
    #expect(
      try value("attributeType=\"Decimal\" defaultValueString=\"10.11\"") as? NSDecimalNumber
        == NSDecimalNumber(string: "10.11"))
    #expect(try value("attributeType=\"Boolean\" defaultValueString=\"YES\"") as? Bool == true)
    #expect(try value("attributeType=\"String\" defaultValueString=\"\"") as? String == "")
    #expect(try value("attributeType=\"String\"") == nil)
    #expect(
      try value("attributeType=\"Date\" defaultDateTimeInterval=\"-978285600\"") as? Date
        == Date(timeIntervalSinceReferenceDate: -978_285_600))
    #expect(
      try value("attributeType=\"UUID\" defaultValueString=\"DA5E8DB2-7C5B-4F0E-8A5E-7C5B4F0E8A5E\"") as? UUID
        == UUID(uuidString: "DA5E8DB2-7C5B-4F0E-8A5E-7C5B4F0E8A5E"))
    #expect(
      try value("attributeType=\"URI\" defaultValueString=\"https://a.example/b\"") as? URL
        == URL(string: "https://a.example/b"))
  }

  @Test func `bounds, lengths and patterns become validation rules`() throws {
    func rules(_ words: String) throws -> [String] {
      let attribute = try parsedAttribute(words)
      return zip(attribute.validationPredicates, attribute.validationWarnings).map { "\(text($0)) \($1)" }
    }
    #expect(
      try rules(
        "attributeType=\"String\" minValueString=\"3\" maxValueString=\"10\" regularExpressionString=\"[a-z]+\"")
        == ["length >= 3 1670", "length <= 10 1660", "SELF MATCHES \"[a-z]+\" 1680"])
    #expect(
      try rules("attributeType=\"Integer 16\" minValueString=\"-4\" maxValueString=\"5\"")
        == ["SELF >= -4 1620", "SELF <= 5 1610"])
    #expect(try rules("attributeType=\"Double\" maxValueString=\"3.5\"") == ["SELF <= 3.5 1610"])
    #expect(
      try rules(
        "attributeType=\"Date\" minDateTimeInterval=\"100\" minValueString=\"1/1/2001\" maxDateTimeInterval=\"200\"")
        == ["SELF >= CAST(100.000000, \"NSDate\") 1640", "SELF <= CAST(200.000000, \"NSDate\") 1630"])
    #expect(try rules("attributeType=\"String\"").isEmpty)
  }

  @Test func `relationships have their destination and inverse`() throws {
    let model = try model(
      """
      <entity name="Place">
          <relationship name="quakes" optional="YES" toMany="YES" minCount="1" maxCount="9" deletionRule="Cascade" \
      ordered="YES" destinationEntity="Quake" inverseName="place" inverseEntity="Quake"/>
          <relationship name="all" optional="YES" toMany="YES" deletionRule="No Action" destinationEntity="Quake"/>
      </entity>
      <entity name="Quake">
          <relationship name="place" maxCount="1" deletionRule="Deny" destinationEntity="Place" inverseName="quakes" \
      inverseEntity="Place"/>
          <relationship name="first" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Quake"/>
      </entity>
      """)
    let (place, quake) = (model.entitiesByName["Place"], model.entitiesByName["Quake"])
    let quakes = try #require(place?.relationshipsByName["quakes"])
    let back = try #require(quake?.relationshipsByName["place"])
    #expect(quakes.isToMany && quakes.isOrdered && quakes.minCount == 1 && quakes.maxCount == 9)
    #expect(quakes.deleteRule == .cascadeDeleteRule && back.deleteRule == .denyDeleteRule)
    #expect(!back.isToMany && !back.isOptional && back.destinationEntity?.name == "Place")
    #expect(quakes.inverseRelationship?.name == "place" && back.inverseRelationship?.name == "quakes")
    let all = try #require(place?.relationshipsByName["all"])
    #expect(all.maxCount == 0 && all.deleteRule == .noActionDeleteRule && all.inverseRelationship == nil)
    #expect(quake?.relationshipsByName["first"]?.deleteRule == .nullifyDeleteRule)
  }

  @Test func `an inverse may be inherited`() throws {
    let model = try model(
      """
      <entity name="Base"><relationship name="owner" maxCount="1" destinationEntity="Owner" inverseName="things" \
      inverseEntity="Owner"/></entity>
      <entity name="Owner"><relationship name="things" toMany="YES" destinationEntity="Sub" inverseName="owner" \
      inverseEntity="Sub"/></entity>
      <entity name="Sub" parentEntity="Base"/>
      """)
    #expect(model.entitiesByName["Owner"]?.relationshipsByName["things"]?.inverseRelationship?.name == "owner")
  }

  @Test func `old and new notations of indexes become fetch indexes`() throws {
    let model = try model(
      """
      <entity name="E">
          <attribute name="a" attributeType="String" indexed="YES"/>
          <attribute name="b" attributeType="Double"/>
          <attribute name="c" attributeType="Double"/>
          <fetchIndex name="byB" partialIndexPredicate="a == &quot;x&quot;">
              <fetchIndexElement property="b" type="Binary" order="descending"/>
          </fetchIndex>
          <fetchIndex name="place">
              <fetchIndexElement property="b" type="RTree" order="ascending"/>
              <fetchIndexElement property="c" type="rTree" order="ascending"/>
          </fetchIndex>
          <compoundIndexes><compoundIndex><index value="a"/><index value="b"/></compoundIndex></compoundIndexes>
          <uniquenessConstraints>
              <uniquenessConstraint><constraint value="a"/><constraint value="b"/></uniquenessConstraint>
              <uniquenessConstraint><constraint value="c"/></uniquenessConstraint>
          </uniquenessConstraints>
      </entity>
      """)
    let entity = model.entities[0]
    #expect(entity.indexes.map(\.name) == ["byB", "place", "a", "a_b"])
    #expect(text(entity.indexes[0].partialIndexPredicate) == "a == \"x\"")
    #expect(entity.indexes[0].elements.map(\.isAscending) == [false])
    #expect(entity.indexes[1].elements.map(\.collationType) == [.rTree, .rTree])
    #expect(entity.indexes[3].elements.map(\.propertyName) == ["a", "b"])
    #expect(entity.uniquenessConstraints as? [[String]] == [["a", "b"], ["c"]])
  }

  @Test func `an indexed property with its own fetch index has one index`() throws {
    let model = try model(
      """
      <entity name="E"><attribute name="a" attributeType="String" indexed="YES"/>
      <fetchIndex name="byA"><fetchIndexElement property="a" type="Binary" order="ascending"/></fetchIndex></entity>
      """)
    #expect(model.entities[0].indexes.map(\.name) == ["byA"])
  }
}
