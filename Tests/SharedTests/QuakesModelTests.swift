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

  @Test func `entities name the classes of the module`() throws {
    let model = QuakesContainer(name: StoreLocation.storeName).managedObjectModel
    let classes = model.entitiesByName.mapValues(\.managedObjectClassName)
    #expect(
      classes == [
        "AlertFiring": "StrataQuakes.AlertFiring", "AlertRule": "StrataQuakes.AlertRule",
        "Alias": "StrataQuakes.Alias", "City": "StrataQuakes.City", "Coastline": "StrataQuakes.Coastline",
        "Feed": "StrataQuakes.Feed", "Mark": "StrataQuakes.Mark", "Place": "StrataQuakes.Place",
        "PlateBoundary": "StrataQuakes.PlateBoundary", "Position": "StrataQuakes.Position",
        "Quake": "StrataQuakes.Quake", "Region": "StrataQuakes.Region", "Revision": "StrataQuakes.Revision",
        "Snapshot": "StrataQuakes.Snapshot",
      ])
  }

  @Test func `a store of the first model is migrated with its aliases`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("migration-\(UUID().uuidString)")
    let location = StoreLocation(folder: folder, isChosen: true)
    try location.createFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
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
      #expect(quake.cityID == nil)
      #expect(try context.count(for: Quake.matching(QuakeFilter())) == 1)
    }
  }

  /// The first model, whose earthquakes do not have revisions.
  private func firstModel() throws -> NSManagedObjectModel {
    let current = try #require(Bundle.main.url(forResource: "Quakes", withExtension: "momd"))
    return try #require(NSManagedObjectModel(contentsOf: current.appendingPathComponent("Quakes.mom")))
  }

  private func writeFirstStore(at url: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try firstModel())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let quake = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
      quake.setValue("ci1", forKey: "identifier")
      quake.setValue(",us1,ci1,", forKey: "ids")
      quake.setValue(Date(timeIntervalSince1970: 1000), forKey: "time")
      quake.setValue(Date(timeIntervalSince1970: 2000), forKey: "updated")
      try context.save()
    }
    try coordinator.remove(store)
  }
}
