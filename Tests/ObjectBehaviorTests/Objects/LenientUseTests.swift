import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Uses that Apple's framework tolerates and shipping programs rely on.
@MainActor @Suite struct LenientUseTests {
  @Test(arguments: Store.every)
  func `inserting an object again changes nothing`(_ store: Store) throws {
    let context = try store.container().viewContext
    let quake = context.insert("Quake", ["code": "a"])
    context.insert(quake)
    #expect(context.insertedObjects == [quake] && quake.value(forKey: "code") as? String == "a")
    try context.save()
    context.insert(quake)
    #expect(!context.hasChanges && !quake.isInserted)
    #expect(try context.fetch("Quake").count == 1)
  }

  @Test(arguments: Store.allCases)
  func `executing a request outside of a block throws`(_ store: Store) async throws {
    let context = try store.container().newBackgroundContext()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    let error = #expect(throws: CocoaError.self) { try request.execute() }
    #expect(error?.code.rawValue == 134091 && error?.localizedDescription.contains("'Quake'") == true)
    #expect(try context.performAndWait { try request.execute().isEmpty })
  }

  /// `IN` also compares strings.
  @Test(arguments: Store.every)
  func `IN finds a string in a string that contains it`(_ store: Store) throws {
    let context = try store.container().viewContext
    for (code, place) in [("ong", "Tonga"), ("Fiji", "fiji"), ("%", "100 %"), ("nil", nil)] {
      _ = context.insert("Quake", ["code": code, "place": place ?? NSNull(), "felt": 1])
    }
    let expected: [(String, Set<String>)] = [
      ("code IN 'along the Tongan trench'", ["ong"]), ("code IN place", ["ong", "%"]),
      ("code IN[c] place", ["ong", "Fiji", "%"]), ("NOT code IN place", ["Fiji", "nil"]), ("'ong' IN place", ["ong"]),
      ("place IN code", []), ("place IN[cd] 'FÍJI'", ["Fiji"]), ("nil IN place", []),
      ("'' IN code AND felt = 1 AND code IN ''", []),
      ("place IN 'x'", []),
    ]
    for isSaved in [false, true] {
      for (format, codes) in expected {
        let predicate = NSPredicate(format: format)
        let found = try context.fetch("Quake", format)
        #expect(Set(found.map(\.shownCode)) == codes, "\(format)")
        let filtered = try context.fetch("Quake").filter { predicate.evaluate(with: $0) }
        #expect(Set(filtered.map(\.shownCode)) == codes, "\(format)")
      }
      if !isSaved { try context.save() }
    }
    // Custom stores evaluate predicates in their own way.
    guard Store.allCases.contains(store) else { return }
    #expect(throws: CocoaError.self) { try context.fetch("Quake", "felt IN place") }
  }

  /// Programs compare codes that consist of digits with numbers.
  @Test(arguments: Store.every)
  func `numbers that are compared with strings become strings`(_ store: Store) throws {
    let context = try store.container().viewContext
    for code in ["9", "10", "11", "x"] {
      context.insert("Quake", ["code": code, "felt": 1])
        .setValue(context.insert("Region", ["name": code]), forKey: "region")
    }
    let expected: [(String, [Any], Set<String>)] = [
      ("code IN %@", [[9, 10, 12]], ["9", "10"]), ("code IN {9, 'x'}", [], ["9", "x"]), ("code == 10", [], ["10"]),
      ("11 == code", [], ["11"]), ("code != 10", [], ["9", "11", "x"]), ("NOT code IN {9, 10}", [], ["11", "x"]),
      ("region.name == 9 AND felt == 1", [], ["9"]), ("code == %@", [NSDecimalNumber(value: 11)], ["11"]),
    ]
    for isSaved in [false, true] {
      for (format, arguments, codes) in expected {
        let found = try context.fetch("Quake", format, arguments)
        #expect(Set(found.map(\.shownCode)) == codes, "\(format)")
      }
      if !isSaved { try context.save() }
    }
    let regions = try context.fetch("Region", "ANY quakes.code == 10")
    #expect(regions.map { $0.value(forKey: "name") as? String } == ["10"])
  }

  @Test(arguments: Store.every)
  func `strings that are compared with UUIDs or numbers are converted`(_ store: Store) throws {
    let context = try store.container().viewContext
    let ids = (0..<3).map { _ in UUID() }
    for (number, id) in ids.enumerated() {
      context.insert(
        "Quake",
        [
          "code": "\(number)", "felt": number + 8, "magnitude": Double(number) + 0.5, "uuid": id,
          "reviewed": number == 1,
        ]
      )
      .setValue(context.insert("Region", ["name": "r\(number)"]), forKey: "region")
    }
    let texts = ids.map(\.uuidString)
    let expected: [(String, [Any], Set<String>)] = [
      ("uuid == %@", [texts[0]], ["0"]), ("uuid == %@", [texts[1].lowercased()], ["1"]),
      ("%@ == uuid", [texts[2]], ["2"]),
      ("uuid != %@", [texts[0]], ["1", "2"]), ("uuid IN %@", [[texts[0], texts[2]]], ["0", "2"]),
      ("NOT uuid IN %@", [[texts[0], "?"]], ["1", "2"]), ("uuid == 'x' OR felt == 9", [], ["1"]),
      ("uuid == nil", [], []),
      ("felt == %@", ["9"], ["1"]), ("felt >= '9'", [], ["1", "2"]), ("'9' > felt", [], ["0"]),
      ("felt IN {'8', 10}", [], ["0", "2"]),
      ("felt BETWEEN {'9', '10'}", [], ["1", "2"]), ("magnitude == '1.5'", [], ["1"]), ("reviewed == '1'", [], ["1"]),
      ("felt == 'nine'", [], []), ("felt != 'nine'", [], ["0", "1", "2"]), ("felt == ''", [], []),
    ]
    for isSaved in [false, true] {
      for (format, arguments, codes) in expected {
        let found = try context.fetch("Quake", format, arguments)
        #expect(Set(found.map(\.shownCode)) == codes, "\(format)")
      }
      if !isSaved { try context.save() }
    }
    let regions = try context.fetch("Region", "ANY quakes.uuid == %@", [texts[1]])
    #expect(regions.map { $0.value(forKey: "name") as? String } == ["r1"])
  }

  /// The bounds of `BETWEEN` can be a list of expressions.
  @Test(arguments: Store.every)
  func `BETWEEN accepts a list of constant expressions`(_ store: Store) throws {
    let context = try store.container().viewContext
    for felt in 1...5 { _ = context.insert("Quake", ["code": "\(felt)", "felt": felt]) }
    try context.save()
    let bounds = [NSExpression(forConstantValue: 2), NSExpression(forConstantValue: 4)]
    let predicate = CoreData.NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "felt"), rightExpression: NSExpression(forConstantValue: bounds),
      modifier: .direct, type: .between)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.predicate = predicate
    #expect(Set(try context.fetch(request).map(\.shownCode)) == ["2", "3", "4"])
    #expect(try context.fetch("Quake").filter { predicate.evaluate(with: $0) }.count == 3)
  }

  /// A Swift optional inside of an `Any` keeps its nil.
  @Test(arguments: Store.every)
  func `setting an optional without a value sets nil`(_ store: Store) throws {
    let context = try store.container().viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    let nested: String?? = .some(nil)
    let quake = context.insert("Quake", ["code": "a", "place": "b", "felt": 1, "time": Date(), "region": region])
    quake.setValue(Optional<NSManagedObject>.none as Any, forKey: "region")
    quake.setValue(nested as Any, forKey: "place")
    quake.setValue(Optional<Int>.none as Any, forKey: "felt")
    quake.setValuesForKeys(["time": Optional<Date>.none as Any])
    #expect(["region", "place", "felt", "time"].allSatisfy { quake.value(forKey: $0) == nil })
    region.setValue(Set([quake]), forKey: "quakes")
    region.setValue(Optional<Set<NSManagedObject>>.none as Any, forKey: "quakes")
    #expect((region.value(forKey: "quakes") as? NSSet)?.count == 0)
    quake.setValue(Optional(region) as Any, forKey: "region")
    quake.setValue(Optional("c") as Any, forKey: "place")
    #expect(quake.value(forKey: "region") as? NSManagedObject === region)
    #expect(quake.value(forKey: "place") as? String == "c")
    try context.save()
  }

  private final class Unclaimed: NSManagedObject {}

  /// Helpers read the entity's name before a model is loaded, and fall back to the class name.
  @Test func `a class without a model has an entity without a name`() {
    #expect(Unclaimed.entity().name == nil)
    #expect(Unclaimed.entity().properties.isEmpty)
  }

  @Test func `user info can be added to new entities and properties`() {
    let (entity, attribute, fetched) = (
      NSEntityDescription(), NSAttributeDescription(), NSFetchedPropertyDescription()
    )
    #expect(entity.userInfo?.isEmpty == true && attribute.userInfo?.isEmpty == true)
    entity.userInfo?["key"] = 1
    attribute.userInfo?["key"] = 2
    fetched.userInfo?["key"] = 3
    #expect([entity.userInfo, attribute.userInfo, fetched.userInfo].map { $0?["key"] as? Int } == [1, 2, 3])
    #expect((attribute.copy() as? NSAttributeDescription)?.userInfo?["key"] as? Int == 2)
  }

  private func freshModel() throws -> NSManagedObjectModel {
    try #require(Quakes.model.copy() as? NSManagedObjectModel)
  }

  /// Tests create objects without a coordinator, with or without a context.
  @Test func `objects can be used without a coordinator`() throws {
    let model = try freshModel()
    let (quakes, regions) = (try #require(model.entitiesByName["Quake"]), try #require(model.entitiesByName["Region"]))
    let loose = NSManagedObject(entity: quakes, insertInto: nil)
    loose.setValue("a", forKey: "code")
    #expect(loose.value(forKey: "code") as? String == "a" && loose.managedObjectContext == nil)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    let quake = NSManagedObject(entity: quakes, insertInto: context)
    let region = NSManagedObject(entity: regions, insertInto: context)
    #expect(quake.value(forKey: "code") as? String == "?" && context.insertedObjects == [quake, region])
    quake.setValue(region, forKey: "region")
    quake.setValue(5.5, forKey: "magnitude")
    #expect((region.value(forKey: "quakes") as? Set<NSManagedObject>) == [quake])
    #expect(NSPredicate(format: "region.quakes.@max.magnitude > 5").evaluate(with: quake))
    context.processPendingChanges()
    context.delete(region)
    context.processPendingChanges()
    #expect(quake.isDeleted || quake.managedObjectContext == nil)
    _ = NSManagedObject(entity: quakes, insertInto: context)
    #expect(throws: CocoaError.self) { try context.save() }
  }

  @Test func `creating an object without a model stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSManagedObject(entity: NSEntityDescription(), insertInto: nil)
    }
    #expect(
      result.errorText.contains("An NSManagedObject of class 'NSManagedObject' must have a valid NSEntityDescription."))
  }

  @Test func `inserting an object by name without a coordinator stops the program`() async {
    let insertion = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      _ = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
    }
    #expect(
      insertion.errorText.contains("+entityForName: nil is not a legal NSPersistentStoreCoordinator for searching for"))
  }

  /// A program that loads a model twice has two entities of each name.
  @Test(arguments: Store.every)
  func `the context uses its own entity instead of the entity of a copied model`(_ store: Store) throws {
    let context = try store.container().viewContext
    let other = try freshModel()
    // Gives the entities other numbers than in the context's model.
    other.entities.insert(makeEntity("Aardvark"), at: 0)
    let quake = NSManagedObject(entity: try #require(other.entitiesByName["Quake"]), insertInto: context)
    let region = context.insert("Region", ["name": "Tonga"])
    quake.setValue(region, forKey: "region")
    #expect(quake.entity === context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Quake"])
    try context.save()
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = other.entitiesByName["Quake"]
    #expect(try context.fetch(request) == [quake])
  }

  @Test func `fetching an entity of another model throws`() throws {
    let context = try Store.memory.container().viewContext
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = People.model.entitiesByName["Team"]
    let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
    let message =
      "The fetch request's entity 'Team' appears to be from a different NSManagedObjectModel than this context's."
    #expect(error?.code.rawValue == 134091 && error?.localizedDescription == message)
  }

  @Test func `union operators join the collections of members`() throws {
    let context = try Store.memory.container().viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    let tags = ["x", "y", "z"].map { context.insert("Tag", ["name": $0]) }
    for (code, own) in [("a", tags[0...1]), ("b", tags[1...2])] {
      _ = context.insert("Quake", ["code": code, "region": region, "tags": Set(own)])
    }
    for name in ["@distinctUnionOfSets", "@distinctUnionOfArrays"] {
      let joined = region.value(forKeyPath: "quakes.\(name).tags") as? [NSManagedObject]
      #expect(joined?.count == 3 && Set(joined ?? []) == Set(tags))
    }
    #expect((region.value(forKeyPath: "quakes.@unionOfSets.tags") as? [NSManagedObject])?.count == 4)
  }

  /// A predicate that the store can evaluate may fail on an unsaved change.
  @Test(arguments: Store.allCases)
  func `a controller continues if its predicate throws`(_ store: Store) throws {
    let shown = try FetchedQuakes(store, "b b 1", "c c 2")
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.predicate = NSPredicate(format: "code MATCHES place")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: shown.context, sectionNameKeyPath: nil, cacheName: nil)
    let delegate = ChangeLog()
    controller.delegate = delegate
    try controller.performFetch()
    shown.insert("a( d 3")
    shown.insert("e e 4")
    shown.context.processPendingChanges()
    #expect(controller.fetchedObjects?.map(\.shownCode) == ["b", "c", "e"])
    #expect(delegate.taken() == ["will", "insert e - 0.2", "did"])
  }

  @Test func `a failing fetch in an expression throws`() throws {
    let context = try Store.sqlite.container().viewContext
    _ = context.insert("Quake", ["code": "a"])
    let inner = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    inner.predicate = NSPredicate(format: "nothing == 1")
    let outer = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    outer.predicate = NSPredicate(
      format: "SELF IN %@",
      NSFetchRequestExpression.expression(
        forFetch: NSExpression(forConstantValue: inner), context: NSExpression(forConstantValue: context),
        countOnly: false))
    #expect(throws: CocoaError.self) { try context.fetch(outer) }
  }
}
