import Foundation
import StrataFormats
import StrataManagedModel
import StrataPredicates
import StrataSupport
import Testing

/// Apple's compiled format. Expectations were compared with the output of Apple's tools, key by key.
@Suite struct CompiledModelTests {
  /// An archive that identifies a model's contents. Entities and properties are sorted by name, because a compiled
  /// model does not keep another order.
  private func sortedArchive(of model: NSManagedObjectModel) throws -> [UInt8] {
    model.entities.sort { ($0.name ?? "") < ($1.name ?? "") }
    for entity in model.entities {
      let inherited = entity.superentity?.propertiesByName ?? [:]
      entity.properties = entity.properties.filter { inherited[$0.name] == nil }.sorted { $0.name < $1.name }
    }
    return try ModelArchive.bytes(of: model)
  }

  @Test func `a model survives a round trip`() throws {
    let model = try makeEverything(known: true)
    let (copy, warnings) = try NSManagedObjectModel.model(mom: model.mom(), file: "Model.mom")
    #expect(warnings.isEmpty)
    #expect(copy.versionChecksum == model.versionChecksum)
    #expect(try sortedArchive(of: copy) == sortedArchive(of: model))
  }

  @Test func `the archive has Apple's classes and keys`() throws {
    let archive = try #require(KeyedArchive(makeEverything(known: true).mom()))
    let root = try #require(archive.object(archive.root))
    #expect(root.className == "NSManagedObjectModel")
    #expect(
      root.keys == ["NSConfigurations", "NSEntities", "NSFetchRequestTemplates", "NSVersionIdentifiers"])
    let entities = root.dictionary("NSEntities").compactMap { archive.object($0.value) }
    #expect(entities.compactMap { $0.text("NSEntityName") } == ["Base", "Child", "Link"])
    let base = entities[0]
    #expect(base.flag("NSIsAbstract") && base.text("NSVersionHashModifier") == "2")
    let properties = Dictionary(
      uniqueKeysWithValues: base.dictionary("NSProperties").compactMap { entry in
        archive.object(entry.value).map { (entry.key, $0) }
      })
    #expect(properties["id"]?.integer("NSFlagsKey") == 16 && properties["image"]?.integer("NSFlagsKey") == 4)
    #expect(properties["id"]?.integer("_P") == 0b1111_0001)
    #expect(properties["text"]?.integer("_P") == 0b1000_0011)
    #expect(properties["links"]?.integer("_P") == 0b100_1111_0011)
    #expect(properties["sum"]?.integer("_P") == 0b1111_0111 && properties["same"]?.integer("_P") == 0b1111_1111)
    #expect(properties["sum"]?.object("NSDerivationExpression")?.text("NSSelectorName") == "count:")
    #expect(properties["links"]?.text("_NSInverseRelationshipName") == "base")
    #expect(properties["same"]?.object("NSFetchRequest")?.integer("NSFetchRequestFlags") == 30)
    #expect(properties["money"]?.object("NSDefaultValue")?.className == "NSDecimalNumberPlaceholder")
    #expect(entities[1].dictionary("NSProperties").isEmpty)
    #expect(entities[1].object("NSSuperentity")?.text("NSEntityName") == "Base")
  }

  @Test func `a feature without a known compiled form is refused by name`() throws {
    #expect { try makeEverything().mom() } throws: {
      "\($0)" == "Base.text compares with MATCHES, whose archive is not known"
    }
  }

  @Test func `a compiled folder has a current version`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("Quakes.momd")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      let (old, new) = (try model("<entity name=\"Old\"/>"), try model("<entity name=\"New\"/>"))
      try Data(old.mom()).write(to: url.appendingPathComponent("Quakes.mom"))
      try Data(new.mom()).write(to: url.appendingPathComponent("Quakes 2.mom"))
      let info = ["NSManagedObjectModel_CurrentVersionName": "Quakes 2"]
      let list = try PropertyListSerialization.data(fromPropertyList: info, format: .binary, options: 0)
      try list.write(to: url.appendingPathComponent("VersionInfo.plist"))
      #expect(NSManagedObjectModel(contentsOf: url)?.entities.map(\.name) == ["New"])
      let file = url.appendingPathComponent("Quakes.mom")
      #expect(NSManagedObjectModel(contentsOf: file)?.entities.map(\.name) == ["Old"])
      #expect(
        try NSManagedObjectModel.__checksumsForVersionedModel(at: url) == [
          "Quakes": old.versionChecksum, "Quakes 2": new.versionChecksum,
        ])
    }
  }

  @Test func `a store's copy of the model survives a round trip`() throws {
    let model = try makeEverything(known: true)
    let (copy, _) = try NSManagedObjectModel.model(cache: model.cache(), file: "store")
    #expect(copy.versionChecksum == model.versionChecksum)
    #expect(throws: FileFormatError.self) { try NSManagedObjectModel.model(cache: [7, 7, 7], file: "store") }
  }

  @Test func `a store's copy of the model omits parts that rows do not depend on`() throws {
    let model = try model(
      """
      <entity name="E"><attribute name="a" attributeType="String" minValueString="1" regularExpressionString="x+"/>
      </entity>
      <fetchRequest name="Like" entity="E" predicateString="a LIKE 'x*'"/>
      """)
    #expect(throws: ModelArchiveError.self) { try model.mom() }
    let (copy, _) = try NSManagedObjectModel.model(cache: model.cache(), file: "store")
    #expect(copy.versionChecksum == model.versionChecksum)
    #expect(copy.entities[0].attributesByName["a"]?.validationPredicates.map(text) == ["length >= 1"])
    #expect(copy.entities[0].attributesByName["a"]?.validationWarnings.map { "\($0)" } == ["1670"])
    #expect(copy.fetchTemplates.isEmpty)
  }

  @Test func `damaged archives are errors`() throws {
    let bytes = try model("<entity name=\"E\"/>").mom()
    for count in stride(from: 0, to: bytes.count, by: 5) {
      #expect(throws: FileFormatError.self) {
        try NSManagedObjectModel.model(mom: Array(bytes[..<count]), file: "Model.mom")
      }
    }
    // Reading terminates for any damaged byte.
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0xFF
      _ = try? NSManagedObjectModel.model(mom: damaged, file: "Model.mom")
    }
  }
}
