import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Models in the locations where code for Apple's platforms looks for them: this target has `Ferries` in two versions
/// and `Buoys` in one.
@Suite struct BundleTests {
  @Test func `the main bundle contains the models of the program`() throws {
    let url = try #require(Bundle.main.url(forResource: "Ferries", withExtension: "momd"))
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    #expect(model.entities.map(\.name) == ["Ferry"])
    #expect(model.entitiesByName["Ferry"]?.attributesByName.keys.sorted() == ["decks", "name"])
    #expect(model.entitiesByName["Ferry"]?.managedObjectClassName == "StoreBehaviorTests.Ferry")
    #expect(Bundle.main.path(forResource: "Ferries", ofType: "momd") == url.path)
    #expect(Bundle(for: Ferry.self).url(forResource: "Ferries", withExtension: "momd") == url)
    #expect(Bundle.main.url(forResource: "Buoys", withExtension: "mom").flatMap(NSManagedObjectModel.init) != nil)
    #expect(Bundle.main.url(forResource: "Nothing", withExtension: "momd") == nil)
    #expect(Bundle.main.path(forResource: "Nothing", ofType: "momd") == nil)
  }

  @Test func `a momd folder contains all versions of a model`() throws {
    let old = try #require(
      Bundle.main.url(forResource: "Ferries", withExtension: "mom", subdirectory: "Ferries.momd"))
    #expect(NSManagedObjectModel(contentsOf: old)?.entitiesByName["Ferry"]?.attributesByName.count == 1)
    let all = try #require(Bundle.main.urls(forResourcesWithExtension: "mom", subdirectory: "Ferries.momd"))
    #expect(all.map(\.lastPathComponent).sorted() == ["Ferries 2.mom", "Ferries.mom"])
    #expect(
      Bundle.main.paths(forResourcesOfType: "mom", inDirectory: "Ferries.momd").sorted() == all.map(\.path).sorted())
    let models = Bundle.main.paths(forResourcesOfType: "momd", inDirectory: nil)
    #expect(models.contains { $0.hasSuffix("/Ferries.momd") })
    let folder = try #require(Bundle.main.url(forResource: "Ferries", withExtension: "momd"))
    #expect(
      try NSManagedObjectModel.__checksumsForVersionedModel(at: folder).keys.sorted() == ["Ferries", "Ferries 2"])
  }

  @Test func `a module bundle contains only the models of its target`() throws {
    let url = try #require(Bundle.module.url(forResource: "Ferries", withExtension: "momd"))
    #expect(NSManagedObjectModel(contentsOf: url)?.entities.count == 1)
    let merged = try #require(NSManagedObjectModel.mergedModel(from: [.module]))
    #expect(merged.entities.compactMap(\.name).sorted() == ["Buoy", "Ferry"])
    #expect(merged.entitiesByName["Ferry"]?.attributesByName.count == 2)
    let old = try #require(NSManagedObjectModel(contentsOf: url.appendingPathComponent("Ferries.mom")))
    let metadata = [NSStoreModelVersionHashesKey: old.entityVersionHashesByName]
    let found = NSManagedObjectModel.mergedModel(from: [.module], forStoreMetadata: metadata)
    #expect(found?.entitiesByName["Ferry"]?.attributesByName.count == 1)
  }

  @Test func `merging from the main bundle finds the models of all targets`() throws {
    for bundles in [nil, [], [Bundle.main], [.main, .module]] as [[Bundle]?] {
      let merged = try #require(NSManagedObjectModel.mergedModel(from: bundles))
      #expect(Set(merged.entitiesByName.keys).isSuperset(of: ["Ferry", "Buoy"]))
    }
  }

  @Test func `bundles provide the mapping models of a target`() throws {
    let folder = try #require(Bundle.module.url(forResource: "Ferries", withExtension: "momd"))
    let old = try #require(NSManagedObjectModel(contentsOf: folder.appendingPathComponent("Ferries.mom")))
    let new = try #require(NSManagedObjectModel(contentsOf: folder))
    for bundles in [nil, [.main], [.module]] as [[Bundle]?] {
      let mapping = NSMappingModel(from: bundles, forSourceModel: old, destinationModel: new)
      #expect(mapping?.entityMappings.map(\.name) == ["FerryToFerry"])
      #expect(NSMappingModel(from: bundles, forSourceModel: new, destinationModel: old) == nil)
    }
    let url = try #require(Bundle.main.url(forResource: "FerriesToFerries2", withExtension: "cdm"))
    #expect(NSMappingModel(contentsOf: url)?.entityMappings.count == 1)
  }

  @Test func `a URL in the main bundle resolves to an embedded model`() throws {
    NSManagedObjectModel._registerEmbedded(
      "Rafts", module: "Nowhere", version: "Rafts 3", base64: ModelFileTests.note)
    let url = try #require(Bundle.main.url(forResource: "Rafts", withExtension: "momd"))
    #expect(url.isFileURL && !FileManager.default.fileExists(atPath: url.path))
    #expect(NSManagedObjectModel(contentsOf: url)?.entities.count == 1)
    #expect(NSManagedObjectModel(contentsOf: url.appendingPathComponent("Rafts 3.mom"))?.entities.count == 1)
    #expect(NSManagedObjectModel(contentsOf: url.appendingPathComponent("Rafts.mom")) == nil)
    #expect(try NSManagedObjectModel.__checksumsForVersionedModel(at: url).keys.sorted() == ["Rafts 3"])
  }

  @Test func `a bundle with an uncompiled model returns that model`() throws {
    let folder = try TemporaryFolder.make().appendingPathComponent("Edited.resources")
    let model = folder.appendingPathComponent("Sea.xcdatamodeld/Sea.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    let text = "<model><entity name=\"Wave\"><attribute name=\"height\" attributeType=\"Double\"/></entity></model>"
    try Data(text.utf8).write(to: model.appendingPathComponent("contents"))
    let bundle = try #require(Bundle(url: folder))
    let url = try #require(bundle.url(forResource: "Sea", withExtension: "momd"))
    #expect(NSManagedObjectModel(contentsOf: url)?.entities.map(\.name) == ["Wave"])
    #expect(bundle.url(forResource: "Land", withExtension: "momd") == nil)
  }
}
