import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Edge cases of attribute types: without a value, with a default, and unsupported by stores.
@MainActor @Suite struct AttributeKindTests {

  // MARK: Values

  @Test(arguments: Store.allCases)
  func `typed accessors return zero for numbers without a value`(_ store: Store) throws {
    let context = try store.people(ShockModel.model).viewContext
    let shock = try #require(context.insert("Shock") as? Shock)
    for key in ["magnitude", "felt", "stations", "reviewed"] { shock.setValue(nil, forKey: key) }
    #expect(shock.magnitude == 0 && shock.felt == 0 && shock.stations == 0 && !shock.reviewed)
    #expect(shock.value(forKey: "felt") == nil && shock.primitiveValue(forKey: "stations") == nil)
    shock.felt = 3
    #expect(shock.value(forKey: "felt") as? NSNumber == 3 && shock.value(forKey: "felt") as? Int64 == 3)
  }

  @Test(arguments: Store.every)
  func `decimals keep all digits until they are stored`(_ store: Store) throws {
    let context = try store.container().viewContext
    let number = NSDecimalNumber(string: "12345678901234567890.123456789012345678")
    let quake = context.insert("Quake", ["cost": number])
    #expect(quake.value(forKey: "cost") as? NSDecimalNumber == number)
    try context.save()
    context.reset()
    let read = try #require(try context.fetch("Quake").first?.value(forKey: "cost") as? NSDecimalNumber)
    #expect((read.doubleValue - number.doubleValue).magnitude < 1e5)
  }

  // MARK: Defaults

  /// A default is not part of a version's hash, and existing rows do not get it.
  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary])
  func `defaults apply only to new objects`(type: NSPersistentStore.StoreType) throws {
    let url = try TemporaryFolder.make().appendingPathComponent("Store")
    func people(_ value: Any?, _ body: (NSManagedObjectContext) throws -> Void) throws {
      let age = attribute("age", .integer16, default: value)
      let model = makeModel([makeEntity("Person", [attribute("name"), age])])
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(type: type, at: url)
      try body(coordinator.context())
      try coordinator.remove(store)
    }
    try people(nil) { context in
      context.make("Person", ["name": "Ada"])
      try context.save()
    }
    try people(7) { context in
      let ada = try context.all("Person")[0]
      #expect(ada.value(forKey: "age") == nil && !ada.hasChanges)
      #expect(try context.fetch("Person", "age == nil").count == 1)
      let eve = context.make("Person", ["name": "Eve"])
      #expect(eve.value(forKey: "age") as? Int == 7)
      try context.save()
    }
    try people(8) { try #expect($0.all("Person").map { $0.value(forKey: "age") as? Int } == [nil, 7]) }
  }

  // MARK: Derived attributes

  private func lists(_ expression: String) -> NSManagedObjectModel {
    let (list, item) = (makeEntity("List", [attribute("name")]), makeEntity("Item", [attribute("name")]))
    let (items, owner) = (relationship("items", to: item, max: 0), relationship("list", to: list))
    join(items, owner)
    list.properties += [items, derivedAttribute("value", .string, expression)]
    item.properties += [owner]
    return makeModel([list, item])
  }

  @Test(arguments: [NSPersistentStore.StoreType.inMemory, .xml, .binary])
  func `stores without SQL leave derived attributes empty`(type: NSPersistentStore.StoreType) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: lists("uppercase:(name)"))
    try coordinator.addPersistentStore(type: type, at: TemporaryFolder.make().appendingPathComponent("Store"))
    let context = coordinator.context()
    let list = context.make("List", ["name": "a"])
    try context.save()
    #expect(list.value(forKey: "value") == nil)
    context.refresh(list, mergeChanges: false)
    #expect(list.value(forKey: "value") == nil)
  }

  @Test(arguments: ["items.list.@count", "lowercase:(items.list.name)", "length:(name)", "nothing"])
  func `a store with an invalid derivation is refused`(expression: String) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: lists(expression))
    let url = try TemporaryFolder.make().appendingPathComponent("Store")
    let error = #expect(throws: CocoaError.self) { try coordinator.addPersistentStore(type: .sqlite, at: url) }
    #expect(error?.localizedDescription.contains("value") == true, "\(String(describing: error))")
    #expect(coordinator.persistentStores.isEmpty)
  }

  // MARK: Types that no store supports

  @Test(arguments: [NSAttributeType.undefinedAttributeType.rawValue, NSAttributeType.objectIDAttributeType.rawValue])
  func `an attribute of a type that no store supports must be transient`(type: UInt) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [type] in
      let thing = attribute("thing", .init(rawValue: NSAttributeType(rawValue: type) ?? .stringAttributeType))
      _ = NSPersistentStoreCoordinator(managedObjectModel: makeModel([makeEntity("Person", [thing])]))
    }
    #expect(result.errorText.contains("Person.thing"))
    let thing = attribute("thing", .init(rawValue: try #require(NSAttributeType(rawValue: type))), transient: true)
    let model = makeModel([makeEntity("Person", [attribute("name"), thing])])
    let context = try Store.sqlite.people(model).viewContext
    let (ada, eve) = (context.make("Person", ["name": "Ada"]), context.make("Person", ["name": "Eve"]))
    try context.save()
    ada.setValue(eve.objectID, forKey: "thing")
    #expect(ada.value(forKey: "thing") as? NSManagedObjectID == eve.objectID && !ada.hasPersistentChangedValues)
  }

  @Test(
    arguments: [
      (NSAttributeType.integer16AttributeType, "NSNumber"), (.decimalAttributeType, "NSDecimalNumber"),
      (.booleanAttributeType, "NSNumber"), (.stringAttributeType, "NSString"), (.dateAttributeType, "NSDate"),
      (.binaryDataAttributeType, "NSData"), (.UUIDAttributeType, "NSUUID"), (.URIAttributeType, "NSURL"),
      (.transformableAttributeType, nil), (.undefinedAttributeType, nil),
    ] as [(NSAttributeType, String?)])
  func `the class of an attribute's values follows from its type`(_ type: NSAttributeType, _ name: String?) throws {
    let attribute = NSAttributeDescription()
    #expect(attribute.attributeValueClassName == nil)
    attribute.attributeType = .floatAttributeType
    attribute.attributeValueClassName = "NSNumber"
    attribute.attributeType = type
    #expect(attribute.attributeValueClassName == name)
    attribute.attributeValueClassName = "NSArray"
    let copy = try #require(attribute.copy() as? NSAttributeDescription)
    #expect(copy.attributeValueClassName == "NSArray" && copy.isEqual(attribute))
    attribute.attributeValueClassName = nil
    #expect(attribute.attributeValueClassName == name)
  }

  // MARK: Indexes

  @available(*, deprecated)
  @Test func `an indexed property adds an index to its entity`() throws {
    let (mass, name) = (NSAttributeDescription(), NSAttributeDescription())
    (mass.name, mass.type, mass.isIndexed) = ("mass", .double, true)
    (name.name, name.type) = ("name", .string)
    #expect(mass.isIndexed && !name.isIndexed)
    let comet = NSEntityDescription()
    comet.name = "Comet"
    comet.properties = [mass, name]
    #expect(comet.indexes.map(\.name) == ["mass"] && comet.indexes[0].elements[0].property === mass)
    name.isIndexed = true
    mass.isIndexed = false
    #expect(comet.indexes.map(\.name) == ["name"] && name.isIndexed && !mass.isIndexed)
    comet.indexes = []
    comet.properties = [name, mass]
    #expect(comet.indexes.isEmpty && !name.isIndexed)
    name.isIndexed = true
    #expect(comet.indexes.count == 1)
    let copy = try #require(comet.copy() as? NSEntityDescription)
    #expect(copy == comet && copy.indexes.count == 1 && copy.propertiesByName["name"]?.isIndexed == true)
  }
}
