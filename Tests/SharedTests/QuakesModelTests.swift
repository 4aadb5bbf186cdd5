import CoreData
import Foundation
import Testing

@testable import StrataQuakes

/// The model embedded in the programs.
struct QuakesModelTests {
  /// A store opens only with a model of the same hashes. The first stores contain these.
  @Test func `the hashes of the first model do not change`() throws {
    let hashes = try firstModel().entityVersionHashesByName.mapValues { $0.base64EncodedString() }
    #expect(
      hashes == [
        "Feed": "FIdU05K8VZjEMZfKW9Lc8XCqoEuai55wzGW01qA/HVI=",
        "Quake": "fAycfzuQ9m3CVd4YW/XLx5WgFWbQDLoHhV6eTO0DIEM=",
      ])
  }

  @Test func `the hashes of the second model do not change`() throws {
    let hashes = try model("Quakes 2").entityVersionHashesByName.mapValues { $0.base64EncodedString() }
    #expect(hashes["Quake"] == "brJxMNi5+2DMa2AZj9YK02McpTCw16UJw0h8cqdP3Xg=")
    #expect(hashes["Feed"] == "2v/mLqlpNOsirtZCwdqimiithz/amePK72GZTZYy6mw=")
    // The stores of the user and of reference data are those of the second model.
    let current = QuakesContainer(name: StoreLocation.storeName).managedObjectModel.entityVersionHashesByName
    let changed = try model("Quakes 2").entityVersionHashesByName.filter { current[$0.key] != $0.value }.keys.sorted()
    #expect(changed == ["Feed", "Quake"])
  }

  @Test func `entities name the classes of the module`() throws {
    let model = QuakesContainer(name: StoreLocation.storeName).managedObjectModel
    let classes = model.entitiesByName.mapValues(\.managedObjectClassName)
    #expect(
      classes == [
        "AlertFiring": "StrataQuakes.AlertFiring", "AlertRule": "StrataQuakes.AlertRule",
        "Alias": "StrataQuakes.Alias", "City": "StrataQuakes.City", "Coastline": "StrataQuakes.Coastline",
        "Feed": "StrataQuakes.Feed", "LandOutline": "StrataQuakes.LandOutline", "Mark": "StrataQuakes.Mark",
        "Place": "StrataQuakes.Place",
        "PlateBoundary": "StrataQuakes.PlateBoundary", "Position": "StrataQuakes.Position",
        "Quake": "StrataQuakes.Quake", "Region": "StrataQuakes.Region", "Revision": "StrataQuakes.Revision",
        "Snapshot": "StrataQuakes.Snapshot",
      ])
  }

  @Test func `a store of the first model is migrated with its aliases`() throws {
    let location = try makeLocation()
    defer { try? FileManager.default.removeItem(at: location.folder) }
    try writeFirstStore(at: location.storeURL)

    // A reader never migrates.
    let failure = #expect(throws: Failure.self) { _ = try QuakesContainer.open(location, for: .reading) }
    #expect(failure?.status == .storeUnavailable)

    let container = try QuakesContainer.open(location, for: .writing)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let quake = try #require(try Quake.find("us1", in: context))
      #expect(quake.identifier == "ci1")
      #expect(quake.standingValue == .live)
      #expect(quake.said == Date(timeIntervalSince1970: 2000))
      #expect(quake.cityID == nil && quake.horizontalError == nil)
      #expect(quake.firstSeen == Date(timeIntervalSince1970: 2000))
      #expect(try context.count(for: Quake.matching(QuakeFilter())) == 1)
    }
  }

  @Test func `a store of the second model is migrated with its history and doubts`() throws {
    let location = try makeLocation()
    defer { try? FileManager.default.removeItem(at: location.folder) }
    try writeSecondStore(at: location.storeURL)
    let failure = #expect(throws: Failure.self) { _ = try QuakesContainer.open(location, for: .reading) }
    #expect(failure?.status == .storeUnavailable)
    #expect(failure?.message.contains("the worker migrates it") == true)

    // The second time nothing is left to do.
    for _ in 0..<2 {
      let container = try QuakesContainer.open(location, for: .writing)
      let context = container.newBackgroundContext()
      try context.performAndWait {
        let quake = try #require(try Quake.find("us1", in: context))
        #expect(quake.learnt == Date(timeIntervalSince1970: 4000))
        #expect(quake.firstSeen == Date(timeIntervalSince1970: 3000))
        #expect(quake.history.map { $0.state.number(.dmin) } == [0.5, 0.25])
        let other = try #require(try Quake.find("us2", in: context))
        #expect(other.firstSeen == Date(timeIntervalSince1970: 4000))
        #expect(try context.fetch(Snapshot.all(of: "usgs")).map(\.feed) == ["all_week"])
        let doubt = try #require(try context.fetch(Feed.doubts(about: "all_week")).first)
        #expect(doubt.name == "all_week" && doubt.doubtGenerated == Date(timeIntervalSince1970: 6000))
        #expect(doubt.doubtListed == Data([1, 2, 3, 4]))
      }
      for store in container.persistentStoreCoordinator.persistentStores {
        try container.persistentStoreCoordinator.remove(store)
      }
    }
  }

  @Test(arguments: ["Quakes", "Quakes 2"])
  func `a program with an older model has to open the store again after a migration`(_ name: String) throws {
    let location = try makeLocation()
    defer { try? FileManager.default.removeItem(at: location.folder) }
    if name == "Quakes" {
      try writeFirstStore(at: location.storeURL)
    } else {
      try writeSecondStore(at: location.storeURL)
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model(name))
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: name == "Quakes" ? nil : "Catalog", at: location.storeURL,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber, NSReadOnlyPersistentStoreOption: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    func identifiers() throws -> [String] {
      try context.performAndWait {
        context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
        request.sortDescriptors = [NSSortDescriptor(key: "identifier", ascending: true)]
        return try context.fetch(request).compactMap { $0.value(forKey: "identifier") as? String }
      }
    }
    let before = try identifiers()
    #expect(!before.isEmpty)
    let container = try QuakesContainer.open(location, for: .writing)
    let error = #expect(throws: CocoaError.self) { try identifiers() }
    #expect(error?.code == .persistentStoreIncompatibleVersionHash)
    let reading = container.newBackgroundContext()
    let after = try reading.performAndWait { try reading.fetch(Quake.fetchRequest()).compactMap(\.identifier) }
    #expect(after.sorted() == before)
  }

  private func makeLocation() throws -> StoreLocation {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("migration-\(UUID().uuidString)")
    let location = StoreLocation(folder: folder, isChosen: true)
    try location.createFolder()
    return location
  }

  private func model(_ name: String) throws -> NSManagedObjectModel {
    let current = try #require(Bundle.main.url(forResource: "Quakes", withExtension: "momd"))
    return try #require(NSManagedObjectModel(contentsOf: current.appendingPathComponent("\(name).mom")))
  }

  /// The first model, whose earthquakes do not have revisions.
  private func firstModel() throws -> NSManagedObjectModel { try model("Quakes") }

  /// An earthquake with a revision, another without, and a feed with a doubtful body.
  private func writeSecondStore(at url: URL) throws {
    try write(at: url, model: model("Quakes 2"), configuration: "Catalog") { context in
      func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
      }
      func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
      let times: [String: Any] = [
        "time": date(1000), "said": date(4000), "firstSaid": date(2000), "learnt": date(4000),
      ]
      let quake = make("Quake", times.merging(["identifier": "us1", "dmin": 0.25]) { first, _ in first })
      _ = make("Quake", times.merging(["identifier": "us2"]) { first, _ in first })
      _ = make(
        "Revision", ["said": date(2000), "learnt": date(3000), "changes": #"{"dmin":0.5}"#, "quake": quake])
      _ = make("Feed", ["name": "all_day", "lastStatus": "ok"])
      _ = make("Feed", ["name": "all_week", "lastStatus": "ok"])
      let body: [String: Any] = ["service": "usgs", "since": date(100), "listed": Data([1, 2, 3, 4])]
      for (feed, seconds) in [("all_week", 5000.0), ("all_week?", 5500), ("all_week?", 6000)] {
        _ = make("Snapshot", body.merging(["feed": feed, "generated": date(seconds)]) { first, _ in first })
      }
    }
  }

  private func writeFirstStore(at url: URL) throws {
    try write(at: url, model: firstModel(), configuration: nil) { context in
      let quake = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
      quake.setValue("ci1", forKey: "identifier")
      quake.setValue(",us1,ci1,", forKey: "ids")
      quake.setValue(Date(timeIntervalSince1970: 1000), forKey: "time")
      quake.setValue(Date(timeIntervalSince1970: 2000), forKey: "updated")
    }
  }

  private func write(
    at url: URL, model: NSManagedObjectModel, configuration: String?, _ fill: (NSManagedObjectContext) -> Void
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: configuration, at: url,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      fill(context)
      try context.save()
    }
    try coordinator.remove(store)
  }
}
