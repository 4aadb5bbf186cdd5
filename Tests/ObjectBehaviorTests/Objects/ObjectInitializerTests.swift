import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Initializers of managed objects: overridden, added, and called on classes known only at run time.
@MainActor @Suite struct ObjectInitializerTests {
  private func container(_ store: Store) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Initializers", managedObjectModel: try Crates.model())
    let description = NSPersistentStoreDescription(url: try store.url("I"))
    description.type = store.rawValue
    container.persistentStoreDescriptions = [description]
    try container.load()
    return container
  }

  @Test(arguments: Store.allCases)
  func `an overridden initializer runs for every object and retains nothing`(_ store: Store) throws {
    let container = try container(store)
    let context = container.viewContext
    weak var released: NSManagedObjectContext?
    for count in 0..<200 { OverridingCrate(context: context).title = "\(count)" }
    for count in 200..<400 {
      NSEntityDescription.insertNewObject(forEntityName: "OverridingCrate", into: context)
        .setValue("\(count)", forKey: "title")
    }
    try context.save()
    try {
      let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      released = child
      child.parent = context
      for count in 400..<600 { OverridingCrate(context: child).title = "\(count)" }
      try child.save()
      let fetched = try child.fetch(NSFetchRequest<OverridingCrate>(entityName: "OverridingCrate"))
      #expect(fetched.count == 600 && fetched.allSatisfy { $0.seen && $0.note == "made" })
    }()
    try context.save()
    context.reset()
    for _ in 0..<5 {
      let fetched = try context.fetch(NSFetchRequest<OverridingCrate>(entityName: "OverridingCrate"))
      #expect(Set(fetched.compactMap(\.title)).count == 600)
      #expect(fetched.allSatisfy { $0.seen && $0.note == "made" && $0.context === context })
      #expect(!context.hasChanges)
      context.reset()
    }
    #expect(released == nil)
  }

  @Test(arguments: Store.allCases)
  func `the initializer of a fetched object can change it`(_ store: Store) throws {
    let container = try container(store)
    let context = container.viewContext
    for count in 0..<20 { SettingCrate(context: context).title = "\(count)" }
    try context.save()
    context.reset()
    let fetched = try context.fetch(NSFetchRequest<SettingCrate>(entityName: "SettingCrate"))
    #expect(fetched.count == 20 && fetched.allSatisfy { $0.weight == 7 })
    #expect(Set(fetched.compactMap(\.title)) == Set((0..<20).map(String.init)))
    #expect(context.registeredObjects == Set(fetched))
    try context.save()
  }

  @Test(arguments: Store.allCases)
  func `an initializer can pass another entity or no context to its superclass`(_ store: Store) throws {
    let container = try container(store)
    let context = container.viewContext
    for _ in 0..<50 { _ = WilfulCrate(context: context) }
    try context.save()
    context.reset()
    WilfulCrate.isWilful = true
    defer { WilfulCrate.isWilful = false }
    for _ in 0..<5 {
      let fetched = try context.fetch(NSFetchRequest<WilfulCrate>(entityName: "WilfulCrate"))
      #expect(fetched.count == 50 && fetched.allSatisfy { $0.managedObjectContext === context && !$0.isInserted })
      #expect(fetched.allSatisfy { $0.entity.name == "WilfulCrate" })
      #expect(!context.hasChanges)
      context.reset()
    }
  }

  @Test(arguments: Store.allCases)
  func `subclasses can add designated and convenience initializers`(_ store: Store) throws {
    let context = try container(store).viewContext
    let made = DesignedCrate(context: context, title: "own")
    #expect(made.title == "own" && made.note == "designed" && made.isInserted)
    let converted = ConvenientCrate(context: context, title: "more")
    #expect(converted.title == "more" && converted.entity.name == "ConvenientCrate")
    #expect(ConvenientCrate(inside: context).title == "inside")
    try context.save()
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "DesignedCrate")) == 1)
  }

  @Test(arguments: Store.allCases)
  func `classes that are known only at run time can create objects`(_ store: Store) throws {
    let context = try container(store).viewContext
    let overriding: OverridingCrate = insert(into: context)
    #expect(overriding.note == "made" && overriding.entity.name == "OverridingCrate")
    let plain: PlainCrate = insertByEntity(into: context)
    #expect(plain.entity.name == "PlainCrate" && plain.isInserted)
    #expect(OverridingCrate.create(in: context).note == "made")
    #expect(OverridingCrate.createByEntity(in: context).note == "made")
    #expect(PlainCrate.make(context).isInserted)
    #expect(PlainCrate(helping: context).isInserted)
    let types: [NSManagedObject.Type] = [PlainCrate.self, OverridingCrate.self, ConvenientCrate.self]
    for type in types {
      #expect(Swift.type(of: type.init(context: context)) == type)
      #expect(Swift.type(of: type.init(entity: type.entity(), insertInto: context)) == type)
      #expect(type.init(entity: type.entity(), insertInto: nil).managedObjectContext == nil)
    }
    #expect(context.insertedObjects.count == 12)
    try context.save()
  }

  @Test func `the base class has no entity`() throws {
    #expect(NSManagedObject.entity().name == nil)
    #expect(NSManagedObject.entity().properties.isEmpty)
    let container = try container(.memory)
    #expect(PlainCrate.entity().name == "PlainCrate")
    withExtendedLifetime(container) {}
    let overridden: NSManagedObject.Type = NamedCrate.self
    #expect(overridden.entity().name == "own")
  }

  private func insert<T: NSManagedObject>(into context: NSManagedObjectContext) -> T { T(context: context) }

  private func insertByEntity<T: NSManagedObject>(into context: NSManagedObjectContext) -> T {
    T(entity: T.entity(), insertInto: context)
  }
}

/// The classes of these tests, and their model.
enum Crates {
  static func model() throws -> NSManagedObjectModel {
    let types: [NSManagedObject.Type] = [
      PlainCrate.self, OverridingCrate.self, SettingCrate.self, WilfulCrate.self, DesignedCrate.self,
      ConvenientCrate.self,
    ]
    return makeModel(
      types.map { makeEntity("\($0)", of: $0, [attribute("title"), attribute("weight", .integer64, default: 0)]) })
  }
}

/// The common properties, accessed by key because the plugin generates no accessors for these.
class Crate: NSManagedObject {
  var title: String? {
    get { value(forKey: "title") as? String }
    set { setValue(newValue, forKey: "title") }
  }
  var weight: Int {
    get { value(forKey: "weight") as? Int ?? -1 }
    set { setValue(newValue, forKey: "weight") }
  }
}

final class PlainCrate: Crate {}

class OverridingCrate: Crate {
  var note = "unmade"
  let seen: Bool
  private(set) weak var context: NSManagedObjectContext?

  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    seen = entity.name == "OverridingCrate"
    super.init(entity: entity, insertInto: context)
    note = "made"
    self.context = context
  }
}

class SettingCrate: Crate {
  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
    weight = 7
  }
}

/// Passes its superclass another entity, or no context.
class WilfulCrate: Crate {
  private static let stranger: NSEntityDescription = {
    let model = try! Crates.model()  // Reads no file.
    _ = NSPersistentStoreCoordinator(managedObjectModel: model)
    kept = model
    return model.entitiesByName["WilfulCrate"]!
  }()
  nonisolated(unsafe) private static var kept: NSManagedObjectModel?  // Written once, before it is read.
  // Used by one test only, on the main actor.
  nonisolated(unsafe) static var isWilful = false
  nonisolated(unsafe) private static var made = 0

  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    Self.made += 1
    switch Self.isWilful ? Self.made % 3 : 0 {
    case 1: super.init(entity: entity, insertInto: nil)
    case 2: super.init(entity: Self.stranger, insertInto: context)
    default: super.init(entity: entity, insertInto: context)
    }
  }
}

class DesignedCrate: Crate {
  let note: String

  override private init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    note = "read"
    super.init(entity: entity, insertInto: context)
  }

  init(context: NSManagedObjectContext, title: String) {
    note = "designed"
    super.init(entity: Self.entity(), insertInto: context)
    self.title = title
  }
}

class ConvenientCrate: Crate {
  convenience init(context: NSManagedObjectContext, title: String) {
    self.init(context: context)
    self.title = title
  }

  convenience init(inside context: NSManagedObjectContext) {
    self.init(entity: Self.entity(), insertInto: context)
    title = "inside"
  }
}

class NamedCrate: Crate {
  override class func entity() -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = "own"
    return entity
  }
}

protocol Creatable {}

extension Creatable where Self: NSManagedObject {
  static func create(in context: NSManagedObjectContext) -> Self { Self(context: context) }
  static func createByEntity(in context: NSManagedObjectContext) -> Self {
    self.init(entity: entity(), insertInto: context)
  }
}

extension OverridingCrate: Creatable {}

extension NSManagedObject {
  fileprivate class func make(_ context: NSManagedObjectContext) -> Self { self.init(context: context) }
  fileprivate convenience init(helping context: NSManagedObjectContext) { self.init(context: context) }
}
