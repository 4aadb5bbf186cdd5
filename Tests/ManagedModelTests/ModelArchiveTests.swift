import Foundation
import ManagedModel
import Predicates
import Testing

/// What the build writes into a program comes back as it was.
@Suite struct ModelArchiveTests {
  /// A model with everything that a source can say.
  private func everything() throws -> NSManagedObjectModel {
    try model(
      """
      <entity name="Base" isAbstract="YES" versionHashModifier="2">
          <attribute name="id" attributeType="UUID" elementID="oldID" preserveAfterDeletion="YES"/>
          <attribute name="text" optional="YES" attributeType="String" defaultValueString="" minValueString="1" \
      regularExpressionString="\\w+ &quot;x&quot;"><userInfo><entry key="k" value="v"/></userInfo></attribute>
          <attribute name="real" attributeType="Double" defaultValueString="0.1" maxValueString="7.5"/>
          <attribute name="single" attributeType="Float" defaultValueString="0.1"/>
          <attribute name="money" attributeType="Decimal" defaultValueString="-10.11" minValueString="-11.5"/>
          <attribute name="flag" attributeType="Boolean" defaultValueString="NO"/>
          <attribute name="at" attributeType="Date" defaultDateTimeInterval="-978285600.25" minDateTimeInterval="3"/>
          <attribute name="site" attributeType="URI" defaultValueString="https://a.example"/>
          <attribute name="image" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
          <attribute name="tags" attributeType="Transformable" customClassName="[String]" valueTransformerName="T"/>
          <attribute name="gone" optional="YES" transient="YES"/>
          <attribute name="sum" optional="YES" attributeType="Integer 64" derived="YES" \
      derivationExpression="links.@count"/>
          <attribute name="size" optional="YES" attributeType="Composite" composite="Size"/>
          <relationship name="links" optional="YES" toMany="YES" maxCount="7" deletionRule="Cascade" ordered="YES" \
      destinationEntity="Link" inverseName="base" inverseEntity="Link"/>
          <fetchedProperty name="same" optional="YES">
              <fetchRequest name="fetchedPropertyFetchRequest" entity="Link" predicateString="n &gt; 3"/>
          </fetchedProperty>
          <fetchIndex name="byReal" partialIndexPredicate="flag == YES">
              <fetchIndexElement property="real" type="Binary" order="descending"/>
          </fetchIndex>
          <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint>\
      </uniquenessConstraints>
      </entity>
      <entity name="Child" representedClassName="M.Child" parentEntity="Base" elementID="Kid"/>
      <entity name="Link"><attribute name="n" attributeType="Integer 16" defaultValueString="-3"/>
          <relationship name="base" maxCount="1" deletionRule="Deny" destinationEntity="Base" inverseName="links" \
      inverseEntity="Base"/></entity>
      <composite name="Size"><attribute name="richter" attributeType="Double" defaultValueString="2.5"/></composite>
      <fetchRequest name="Some" entity="Link" predicateString="n IN $LIST AND base.real &lt; 1.5" fetchLimit="9"/>
      <configuration name="Local"><memberEntity name="Link"/></configuration>
      """)
  }

  @Test func everyPropertyComesBack() throws {
    let model = try everything()
    model.localizationDictionary = ["Entity/Base": "Grund"]
    model.versionIdentifiers = ["2", "1"]
    let copy = try ModelArchive.model(ModelArchive.bytes(of: model))
    #expect(try ModelArchive.bytes(of: copy) == ModelArchive.bytes(of: model))
    #expect(copy.versionChecksum == model.versionChecksum)
    #expect(copy.localizationDictionary == ["Entity/Base": "Grund"] && copy.versionIdentifiers == ["1", "2"])
    #expect(copy.configurations == ["Local"])
    #expect(copy.entities(forConfigurationName: "Local")?.map(\.name) == ["Link"])
    let base = try #require(copy.entitiesByName["Base"])
    let child = try #require(copy.entitiesByName["Child"])
    #expect(base.isAbstract && base.versionHashModifier == "2" && base.subentities.map(\.name) == ["Child"])
    #expect(child.managedObjectClassName == "M.Child" && child.renamingIdentifier == "Kid")
    #expect(base.uniquenessConstraints as? [[String]] == [["id"]])
    #expect(text(base.indexes.first?.partialIndexPredicate) == "flag == TRUE")
    #expect(base.indexes.first?.elements.map(\.isAscending) == [false])
  }

  @Test func attributesComeBack() throws {
    let model = try everything()
    let copy = try ModelArchive.model(ModelArchive.bytes(of: model))
    let attributes = try #require(copy.entitiesByName["Base"]?.attributesByName)
    #expect(attributes["id"]?.renamingIdentifier == "oldID")
    #expect(attributes["id"]?.preservesValueInHistoryOnDeletion == true)
    #expect(attributes["text"]?.defaultValue as? String == "")
    #expect(attributes["text"]?.userInfo as? [String: String] == ["k": "v"])
    #expect(
      attributes["text"]?.validationPredicates.map(text) == [
        "length >= 1", #"SELF MATCHES "\\w+ \"x\"""#,
      ])
    #expect(attributes["text"]?.validationWarnings.map { "\($0)" } == ["1670", "1680"])
    #expect(attributes["real"]?.defaultValue as? Double == 0.1)
    #expect(attributes["single"]?.defaultValue as? Float == 0.1)
    #expect(attributes["money"]?.defaultValue as? NSDecimalNumber == NSDecimalNumber(string: "-10.11"))
    #expect(attributes["flag"]?.defaultValue as? Bool == false)
    #expect(attributes["at"]?.defaultValue as? Date == Date(timeIntervalSinceReferenceDate: -978_285_600.25))
    #expect(attributes["site"]?.defaultValue as? URL == URL(string: "https://a.example"))
    #expect(attributes["image"]?.allowsExternalBinaryDataStorage == true)
    #expect(
      attributes["tags"]?.attributeValueClassName == "[String]" && attributes["tags"]?.valueTransformerName == "T")
    #expect(attributes["gone"]?.isTransient == true)
    #expect((attributes["sum"] as? NSDerivedAttributeDescription)?.derivation == .keyPath(["links", "@count"]))
    #expect((attributes["size"] as? NSCompositeAttributeDescription)?.elements.map(\.name) == ["richter"])
  }

  @Test func relationshipsAndRequestsComeBack() throws {
    let model = try everything()
    let copy = try ModelArchive.model(ModelArchive.bytes(of: model))
    let links = try #require(copy.entitiesByName["Base"]?.relationshipsByName["links"])
    #expect(links.isOrdered && links.maxCount == 7 && links.deleteRule == .cascadeDeleteRule && links.isOptional)
    #expect(links.destinationEntity?.name == "Link" && links.inverseRelationship?.name == "base")
    let back = try #require(copy.entitiesByName["Link"]?.relationshipsByName["base"])
    #expect(back.deleteRule == .denyDeleteRule && back.inverseRelationship?.name == "links")
    let some = try #require(copy.fetchTemplates["Some"])
    #expect(text(some.predicate) == "n IN $LIST AND base.real < 1.5" && some.fetchLimit == 9)
    let same = copy.entitiesByName["Base"]?.propertiesByName["same"] as? NSFetchedPropertyDescription
    #expect(text(same?.template?.predicate) == "n > 3")
  }

  @Test func everyByteIsGuarded() throws {
    let bytes = try ModelArchive.bytes(of: everything())
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0x10
      #expect(throws: ModelArchiveError.self) { try ModelArchive.model(damaged) }
    }
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: ModelArchiveError.self) { try ModelArchive.model(Array(bytes[..<count])) }
    }
  }

  @Test func whatHasNoTextIsRefusedByName() throws {
    let model = makeModel([makeEntity("Photo", [attribute("title", .string)])])
    model.entities[0].attributesByName["title"]?.setValidationPredicates(
      [NSPredicate { _, _ in true }], withValidationWarnings: [""])
    #expect { try ModelArchive.bytes(of: model) } throws: { "\($0)".hasPrefix("Photo.title has the predicate") }
  }

  /// The archive of an entity Note with an optional attribute text, as the build writes it into a program.
  private static let note: StaticString =
    """
    c3RyYXRhAG0Bsm5ek28H4nMFATIETm90ZQ9OU01hbmFnZWRPYmplY3QEdGV4dAhOU1N0cmluZwEBAAECAwAAAAEAAAEABAEAAAEAALwFBQAAAAAAAAA=
    """

  @Test func aModelThatTheProgramCarriesIsFoundByNameAndDecodedOnce() throws {
    NSManagedObjectModel._registerEmbedded("Carried", module: "First", base64: Self.note)
    NSManagedObjectModel._registerEmbedded("Carried", module: "Second", base64: Self.note)
    NSManagedObjectModel._registerEmbedded("Carried", module: "Third", isCurrent: false, base64: Self.note)
    let first = try #require(NSManagedObjectModel.model(named: "Carried"))
    let second = try #require(NSManagedObjectModel.model(named: "Carried", module: "Second"))
    #expect(first.entities.map(\.name) == ["Note"])
    #expect(first.entities[0].attributesByName["text"]?.attributeType == .stringAttributeType)
    #expect(first !== second)
    #expect(first === NSManagedObjectModel.model(named: "Carried", module: "First"))
    #expect(first === NSManagedObjectModel.model(named: "Carried", module: "Third"))
    #expect(NSManagedObjectModel.model(named: "NotCarried") == nil)
    let merged = NSManagedObjectModel.mergedModel(from: nil)
    #expect(merged?.entitiesByName["Note"]?.versionHash == first.entities[0].versionHash)
    let metadata = [NSStoreModelVersionHashesKey: first.entityVersionHashesByName]
    #expect(NSManagedObjectModel.mergedModel(from: [], forStoreMetadata: metadata)?.entities.count == 1)
  }
}
