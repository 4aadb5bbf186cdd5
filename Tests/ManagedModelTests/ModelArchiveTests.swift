import Foundation
import StrataManagedModel
import StrataPredicates
import StrataSupport
import StrataTestSupport
import Testing

/// The archive that the build embeds in a program.
@Suite struct ModelArchiveTests {
  @Test func `every property survives a round trip`() throws {
    let model = try makeEverything()
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

  @Test func `attributes survive a round trip`() throws {
    let model = try makeEverything()
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
    let size = try #require(attributes["size"] as? NSCompositeAttributeDescription)
    #expect(size.elements.map(\.name) == ["richter"] && size.elements[0].defaultValue as? Double == 2.5)
  }

  @Test func `relationships and requests survive a round trip`() throws {
    let model = try makeEverything()
    let copy = try ModelArchive.model(ModelArchive.bytes(of: model))
    let links = try #require(copy.entitiesByName["Base"]?.relationshipsByName["links"])
    #expect(links.isOrdered && links.maxCount == 7 && links.deleteRule == .cascadeDeleteRule && links.isOptional)
    #expect(links.destinationEntity?.name == "Link" && links.inverseRelationship?.name == "base")
    let back = try #require(copy.entitiesByName["Link"]?.relationshipsByName["base"])
    #expect(back.deleteRule == .denyDeleteRule && back.inverseRelationship?.name == "links")
    let some = try #require(copy.fetchTemplates["Some"])
    #expect(text(some.predicate) == "n IN $LIST OR base.real <= 1.5" && some.fetchLimit == 9)
    let same = copy.entitiesByName["Base"]?.propertiesByName["same"] as? NSFetchedPropertyDescription
    #expect(text(same?.template?.predicate) == "n > $FETCH_SOURCE.real AND NOT n IN {1, 2}")
  }

  @Test func `an archive has the model's version hashes`() throws {
    let model = try makeEverything(known: true)
    let copy = try ModelArchive.model(ModelArchive.bytes(of: model))
    let again = try ModelArchive.model(ModelArchive.bytes(of: copy))
    #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
    // Computed, because copies do not have archived hashes.
    let copied = NSManagedObjectModel()
    copied.entities = copy.entities.compactMap { $0.copy() as? NSEntityDescription }
    #expect(copied.entityVersionHashesByName == copy.entityVersionHashesByName)
  }

  @Test(
    arguments: [
      { $0.entitiesByName["Link"]?.name = "Chain" },
      { $0.entitiesByName["Base"]?.attributesByName["id"]?.isOptional.toggle() },
      { $0.entitiesByName["Base"]?.relationshipsByName["links"]?.maxCount = 3 },
      { $0.entitiesByName["Base"]?.attributesByName["real"]?.attributeType = .floatAttributeType },
      { $0.entitiesByName["Base"]?.versionHashModifier = "other" },
      { $0.entitiesByName["Base"]?.uniquenessConstraints = [] },
      { $0.entitiesByName["Link"]?.properties.removeAll { $0.name == "n" } },
      { $0.entities = $0.entities.filter { $0.name != "Child" } },
    ] as [@Sendable (NSManagedObjectModel) -> Void])
  func `editing a model changes its version hashes`(edit: @Sendable (NSManagedObjectModel) -> Void) throws {
    let model = try makeEverything(known: true)
    let copy = try ModelArchive.model(ModelArchive.bytes(of: model))
    let archived = copy.entityVersionHashesByName
    edit(copy)
    edit(model)
    #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(copy.entityVersionHashesByName != archived)
  }

  @Test func `damage to any byte is detected`() throws {
    let bytes = try ModelArchive.bytes(of: makeEverything())
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(throws: ModelArchiveError.self) { try ModelArchive.model(damaged) }
    }
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: ModelArchiveError.self) { try ModelArchive.model(Array(bytes[..<count])) }
    }
  }

  @Test func `a predicate without a text form is refused by name`() throws {
    let model = makeModel([makeEntity("Photo", [attribute("title")])])
    model.entities[0].attributesByName["title"]?.setValidationPredicates(
      [NSPredicate { _, _ in true }], withValidationWarnings: [""])
    #expect { try ModelArchive.bytes(of: model) } throws: { "\($0)".hasPrefix("Photo.title has the predicate") }
  }

  /// The archive of an entity Note with an optional attribute text, as embedded in a program.
  private static let note: StaticString =
    """
    c3RyYXRhAG0Bsm5ek28H4nMFATIETm90ZQ9OU01hbmFnZWRPYmplY3QEdGV4dAhOU1N0cmluZwEBAAECAwAAAAEAAAEABAEAAAEAALwFBQAAAAAAAAA=
    """

  @Test func `an embedded model is found by name and decoded once`() throws {
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

  /// The archive of another entity Note, as embedded in another library.
  private static let otherNote: StaticString =
    """
    c3RyYXRhAG0B2Zua3rG4uU8GAAROb3RlD05TTWFuYWdlZE9iamVjdAR0ZXh0CE5TU3RyaW5nBGJvZHkBAQABAgMAAAABAAACAAQBAAABAAC8BQUAAAAABgEAAAEAALwFBQAAAAAAAAA=
    """

  @Test func `libraries with models of the same name work`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      NSManagedObjectModel._registerEmbedded("Twice", module: "First", base64: Self.note)
      NSManagedObjectModel._registerEmbedded("Twice", module: "Second", base64: Self.otherNote)
      let names = [nil, "First", "Second", "Third"].map { module in
        NSManagedObjectModel.model(named: "Twice", module: module)?.entities[0].attributesByName.keys.sorted()
      }
      #expect(names == [["text"], ["text"], ["body", "text"], ["text"]])
      let merged = NSManagedObjectModel.mergedModel(from: nil)
      #expect(merged?.entitiesByName["Note"]?.attributesByName.keys.sorted() == ["text"])
    }
    let text = result.errorText
    #expect(text.contains("The modules First, Second each have a model named 'Twice'"))
    #expect(text.contains("Two modules have different entities named 'Note'"))
  }

  @Test func `the main module's model has precedence`() async {
    await #expect(processExitsWith: .success) {
      #expect(MainModule.name == "StrataPackageTests_xctest")
      NSManagedObjectModel._registerEmbedded("Own", module: "Library", base64: Self.note)
      NSManagedObjectModel._registerEmbedded("Own", module: "StrataPackageTests_xctest", base64: Self.otherNote)
      #expect(NSManagedObjectModel.model(named: "Own", module: "CoreData")?.entities[0].attributesByName.count == 2)
      let merged = NSManagedObjectModel.mergedModel(from: nil)
      #expect(merged?.entitiesByName["Note"]?.attributesByName.count == 2)
    }
  }
}
