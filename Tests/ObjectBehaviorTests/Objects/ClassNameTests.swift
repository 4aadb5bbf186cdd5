import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Class names in models: fully qualified, without the module, nested, private to a file.
@MainActor @Suite struct ClassNameTests {
  @Test(arguments: ["Lantern", "ObjectBehaviorTests.Lantern"])
  func `a class is found with and without its module name`(_ name: String) throws {
    let container = try Self.container(name)
    let made = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: container.viewContext)
    #expect(made is Lantern)
    #expect(Lantern(context: container.viewContext).entity.name == "Thing")
    #expect(Lantern.fetchRequest().entityName == "Thing")
    try container.viewContext.save()
    container.viewContext.reset()
    let found = try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
    #expect(found.count == 2 && found.allSatisfy { $0 is Lantern })
  }

  @Test(arguments: ["Cabin.Candle", "Candle", "ObjectBehaviorTests.Cabin.Candle"])
  func `a class nested in another type is found`(_ name: String) throws {
    #expect(NSStringFromClass(Cabin.Candle.self) == "ObjectBehaviorTests.Cabin.Candle")
    func described<T: NSManagedObject>(_ type: T.Type) -> String { type.description() }
    #expect(
      described(Cabin.Candle.self) == "ObjectBehaviorTests.Cabin.Candle"
        && Cabin.Candle.description() == described(Cabin.Candle.self))
    #expect(try Self.made(of: name) is Cabin.Candle)
  }

  @Test func `nested transformers and policies have names`() throws {
    let name = NSStringFromClass(Cabin.Varnish.self)
    #expect(name == "ObjectBehaviorTests.Cabin.Varnish")
    #expect(ValueTransformer(forName: NSValueTransformerName(name)) is Cabin.Varnish)
    #expect(NSStringFromClass(Cabin.Moving.self) == "ObjectBehaviorTests.Cabin.Moving")
    #expect(NSStringFromClass(Cabin.Coat<Int>.self) != NSStringFromClass(Cabin.Coat<String>.self))
    let own = [
      NSStringFromClass(ValueTransformer.self), NSStringFromClass(NSSecureUnarchiveFromDataTransformer.self),
      NSStringFromClass(NSEntityMigrationPolicy.self),
    ]
    #expect(own == ["NSValueTransformer", "NSSecureUnarchiveFromDataTransformer", "NSEntityMigrationPolicy"])
  }

  @Test func `a private class is found by its runtime name`() throws {
    #expect(NSStringFromClass(Torch.self) == "ObjectBehaviorTests.Torch")
    #expect(try Self.made(of: NSStringFromClass(Torch.self)) is Torch)
    #expect(try Self.made(of: "Torch") is Torch)
    let container = try Self.container("Torch")
    #expect(Torch(context: container.viewContext).entity.name == "Thing")
  }

  @Test func `a class inside a function is found by its runtime name`() throws {
    class Match: NSManagedObject {}
    #expect(try Self.made(of: NSStringFromClass(Match.self)) is Match)
    #expect(try Self.made(of: NSStringFromClass(Self.otherMatch)) as? Match == nil)
    #expect(try type(of: Self.made(of: NSStringFromClass(Self.otherMatch))) == Self.otherMatch)
  }

  private static var otherMatch: NSManagedObject.Type {
    class Match: NSManagedObject {}
    return Match.self
  }

  @Test func `a top-level class has precedence over a nested one`() throws {
    #expect(try type(of: Self.made(of: "Wick")) == Wick.self)
    #expect(try type(of: Self.made(of: "Cabin.Wick")) == Cabin.Wick.self)
  }

  @Test func `an ambiguous class name stops the program and reports both classes`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run { _ = try ClassNameTests.made(of: "Ember") }
    }
    #expect(result.errorText.contains("ObjectBehaviorTests.Cabin.Ember, ObjectBehaviorTests.Hut.Ember"))
  }

  @Test func `a name shared by two targets means the class in the target of the model`() throws {
    // Registers classes as the model plugin does for two targets.
    _registerClasses {
      [_RegisteredClass("Alpha.Twin", Alpha.Twin.self), _RegisteredClass("Beta_Tests.Twin", Beta.Twin.self)]
    }
    let (alpha, beta) = (try Self.twins(of: "Shop_Alpha"), try Self.twins(of: "Shop_Beta-Tests"))
    for (model, type) in [(alpha, Alpha.Twin.self as NSManagedObject.Type), (beta, Beta.Twin.self)] {
      let context = try Store.memory.people(model).viewContext
      #expect(Swift.type(of: context.insert("Twin")) == type)
      #expect(type.entity().managedObjectModel === model)
      #expect(type.init(context: context).entity === model.entitiesByName["Twin"])
      let copy = try #require(NSManagedObjectModel(byMerging: [model]))
      #expect(try Swift.type(of: Store.memory.people(copy).viewContext.insert("Twin")) == type)
    }
  }

  /// Returns a model in the bundle of a target, whose entity names its class without a module.
  private static func twins(of bundle: String) throws -> NSManagedObjectModel {
    let folder = try TemporaryFolder.make().appendingPathComponent("\(bundle).resources/Twins.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Twin" representedClassName="Twin" syncable="YES"/>
      </model>
      """
    try Data(text.utf8).write(to: folder.appendingPathComponent("contents"))
    return try #require(NSManagedObjectModel(contentsOf: folder))
  }

  @Test func `a missing class is reported once`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        for _ in 0..<2 {
          let made = try ClassNameTests.made(of: "Nowhere")
          precondition(type(of: made) == NSManagedObject.self)
        }
      }
      exit(0)
    }
    #expect(
      result.errorText
        == "CoreData: warning: Unable to load class named 'Nowhere' for entity 'Thing'. Class not found, using default "
        + "NSManagedObject instead.\n")
  }

  @Test func `a class without an entity is reported with what loads a model, if none is loaded`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for _ in 0..<2 { precondition(Wick.entity().name == nil) }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel(makeEntity("Lamp")))
      precondition(Lantern.entity().name == nil)
      withExtendedLifetime(coordinator) {}
      exit(0)
    }
    let text = "CoreData: warning: No NSEntityDescriptions in any model claim the NSManagedObject subclass"
    #expect(
      result.errorText == "\(text) 'Wick', because no model is loaded yet: create the NSPersistentContainer, or an "
        + "NSPersistentStoreCoordinator with the model, before Wick.entity() is called.\n\(text) 'Lantern'.\n")
  }

  @Test func `a class with two entities is reported once with both`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      func model(_ name: String) -> NSManagedObjectModel {
        makeModel(makeEntity(name, of: Wick.self))
      }
      let first = NSPersistentStoreCoordinator(managedObjectModel: model("Candle"))
      let copy = NSPersistentStoreCoordinator(managedObjectModel: model("Candle"))
      // Two copies of one model do not cause a warning.
      precondition(Wick.entity().name == "Candle")
      let other = NSPersistentStoreCoordinator(managedObjectModel: model("Lamp"))
      for _ in 0..<2 { precondition(Wick.entity().name == "Candle") }
      // A context uses the entity of its own model nevertheless.
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = other
      context.performAndWait { precondition(Wick(context: context).entity.name == "Lamp") }
      withExtendedLifetime((first, copy)) {}
      exit(0)
    }
    #expect(
      result.errorText
        == "CoreData: warning: Multiple NSEntityDescriptions claim the NSManagedObject subclass 'Wick' so +entity is "
        + "unable to disambiguate: 'Candle' and 'Lamp'.\n")
  }

  @Test func `the root class keeps its own name`() {
    #expect(NSStringFromClass(NSManagedObject.self) == "NSManagedObject")
  }

  static func made(of className: String) throws -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: "Thing", into: try container(className).viewContext)
  }

  private static func container(_ className: String) throws -> NSPersistentContainer {
    let entity = makeEntity("Thing")
    entity.managedObjectClassName = className
    let container = NSPersistentContainer(name: "Things", managedObjectModel: makeModel(entity))
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    try container.load()
    return container
  }
}

class Lantern: NSManagedObject {}
private final class Torch: NSManagedObject {}

// Not registered by the plugin, because they are private.
private enum Alpha { final class Twin: NSManagedObject {} }
private enum Beta { final class Twin: NSManagedObject {} }
final class Wick: NSManagedObject {}

enum Cabin {
  final class Varnish: ValueTransformer {}
  final class Moving: NSEntityMigrationPolicy {}
  final class Coat<Paint>: ValueTransformer {}
  final class Candle: NSManagedObject {}
  final class Wick: NSManagedObject {}
  final class Ember: NSManagedObject {}
}

enum Hut {
  final class Ember: NSManagedObject {}
}
