import Foundation
import StrataManagedModel
import StrataModelSource
import StrataPredicates
import Testing

/// Requests, configurations, derived and composite attributes of a model's source.
@Suite struct ModelRequestSourceTests {
  @Test func `templates have the settings of the file`() throws {
    let model = try model(
      """
      <entity name="Quake"><attribute name="place" attributeType="String"/></entity>
      <fetchRequest name="All" entity="Quake"/>
      <fetchRequest name="Ids" entity="Quake" resultType="1" fetchLimit="100" fetchBatchSize="20"/>
      <fetchRequest name="Rows" entity="Quake" resultType="2" includeSubentities="YES" includePropertyValues="YES" \
      includesPendingChanges="YES" returnObjectsAsFaults="NO" returnDistinctResults="YES"/>
      <fetchRequest name="Here" entity="Quake" predicateString="place == $PLACE"/>
      """)
    #expect(model.fetchTemplates.count == 4)
    let all = try #require(model.fetchTemplates["All"])
    #expect(all.entityName == "Quake" && all.predicate == nil && all.resultType == 0)
    #expect(all.includesSubentities && all.includesPropertyValues && all.includesPendingChanges)
    #expect(all.returnsObjectsAsFaults && !all.returnsDistinctResults)
    let ids = try #require(model.fetchTemplates["Ids"])
    #expect(ids.resultType == 1 && ids.fetchLimit == 100 && ids.fetchBatchSize == 20 && !ids.includesPropertyValues)
    let rows = try #require(model.fetchTemplates["Rows"])
    #expect(rows.includesPendingChanges && rows.returnsDistinctResults && !rows.returnsObjectsAsFaults)
    #expect(text(model.fetchTemplates["Here"]?.predicate) == "place == $PLACE")
  }

  @Test func `fetched properties have a request and do not change the hash`() throws {
    let plain = try model("<entity name=\"Quake\"><attribute name=\"id\" attributeType=\"String\"/></entity>")
    let fetching = try model(
      """
      <entity name="Quake"><attribute name="id" attributeType="String"/>
          <fetchedProperty name="same" optional="YES">
              <fetchRequest name="fetchedPropertyFetchRequest" entity="Quake" predicateString="id == $ID"/>
              <userInfo><entry key="k" value="v"/></userInfo>
          </fetchedProperty>
      </entity>
      """)
    let same = try #require(fetching.entities[0].propertiesByName["same"] as? NSFetchedPropertyDescription)
    #expect(same.template?.entityName == "Quake" && same.isTransient && same.isOptional)
    #expect(text(same.template?.predicate) == "id == $ID")
    #expect(same.userInfo as? [String: String] == ["k": "v"])
    #expect(plain.entityVersionHashesByName == fetching.entityVersionHashesByName)
  }

  @Test func `configurations and identifiers are read`() throws {
    let bytes = Array(
      """
      <model userDefinedModelVersionIdentifier="2" sourceLanguage="Swift" usedWithCloudKit="YES">
      <entity name="A"/><entity name="B"/>
      <configuration name="Local" usedWithCloudKit="YES"><memberEntity name="B"/></configuration>
      <elements><element name="A" positionX="0" positionY="0" width="128" height="45"/></elements>
      </model>
      """.utf8)
    let document = try ModelDocument(contents: bytes, file: "contents")
    let (model, warnings) = try document.makeModel()
    #expect(warnings.isEmpty)
    #expect(model.versionIdentifiers == ["2"] && document.sourceLanguage == "Swift" && document.isUsedWithCloudKit)
    #expect(model.configurations == ["Local"])
    #expect(model.entities(forConfigurationName: "Local")?.map(\.name) == ["B"])
  }

  @Test func `derived attributes have their expression`() throws {
    let model = try model(
      """
      <entity name="Place"><attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" \
      derivationExpression="quakes.@count"/>
      <relationship name="quakes" toMany="YES" destinationEntity="Place"/></entity>
      """)
    let count = try #require(model.entities[0].propertiesByName["count"] as? NSDerivedAttributeDescription)
    #expect(count.derivation == .keyPath(["quakes", "@count"]))
    #expect(count.attributeType == .integer64AttributeType)
  }

  @Test func `composite attributes have their elements`() throws {
    let model = try model(
      """
      <entity name="Quake"><attribute name="size" optional="YES" attributeType="Composite" composite="Size"/></entity>
      <composite name="Size">
          <attribute name="richter" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES"/>
          <attribute name="felt" optional="YES" attributeType="Composite" composite="Felt"/>
      </composite>
      <composite name="Felt"><attribute name="by" attributeType="Integer 32"/></composite>
      """)
    let size = try #require(model.entities[0].propertiesByName["size"] as? NSCompositeAttributeDescription)
    #expect(size.attributeType == .compositeAttributeType && size.elements.map(\.name) == ["richter", "felt"])
    #expect(size.elements[0].defaultValue as? Double == 0)
    #expect((size.elements[1] as? NSCompositeAttributeDescription)?.elements.map(\.name) == ["by"])
  }

  @Test func `the document keeps settings for generated code`() throws {
    let document = try document(
      """
      <entity name="A" codeGenerationType="class"/><entity name="B" codeGenerationType="category"/>
      <entity name="C"><attribute name="n" attributeType="Integer 16" usesScalarValueType="YES"/>
      <attribute name="m" attributeType="Integer 16" usesScalarValueType="NO"/></entity>
      """)
    #expect(document.entities.map(\.codeGeneration) == [.class, .category, .manual])
    #expect(document.entities[2].attributes.map(\.usesScalarValueType) == [true, false])
    #expect(document.entities.map(\.line) == [2, 2, 3])
  }
}
