import CoreData
import Foundation
import Testing

@testable import StrataQuakes

/// The Reference store, and all stores in one coordinator.
struct ReferenceStoreTests {
  /// A temporary folder with a Catalog and a Reference store, deleted at the end.
  private final class Stores {
    let location: StoreLocation
    let reference: ReferenceLocation

    init() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reference-\(UUID().uuidString)")
      location = StoreLocation(folder: folder, isChosen: true)
      reference = ReferenceLocation(url: folder.appendingPathComponent(ReferenceLocation.fileName))
      try location.createFolder()
    }

    deinit { try? FileManager.default.removeItem(at: location.folder) }

    /// Writes cities numbered from 1, each one degree north of the previous one.
    func writeCities(_ count: Int) throws {
      let coordinator = QuakesContainer(name: StoreLocation.storeName).persistentStoreCoordinator
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: QuakesStore.reference.rawValue, at: reference.url)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        for number in 1...count {
          let city = City(context: context)
          (city.geonamesID, city.name, city.country) = (Int32(number), "City \(number)", "Country")
          (city.latitude, city.longitude, city.population) = (Double(number % 90), 20, 15_000)
        }
        try context.save()
      }
      try coordinator.remove(store)
    }

    /// Writes an earthquake with this nearest city, and opens the Catalog for reading.
    func openCatalog(cityID: Int32) throws -> QuakesContainer {
      let writing = try QuakesContainer.open(location, for: .writing)
      let context = writing.newBackgroundContext()
      try context.performAndWait {
        let quake = Quake(context: context)
        (quake.identifier, quake.time, quake.said) = ("us1", Date(), Date())
        (quake.cityID, quake.cityDistance, quake.cityBearing) = (NSNumber(value: cityID), 12.0, 335.0)
        try context.save()
      }
      try writing.persistentStoreCoordinator.remove(try #require(writing.store(.catalog)))
      return try QuakesContainer.open(location, for: .reading)
    }
  }

  @Test func `a city is found by its name and country`() throws {
    let stores = try Stores()
    try stores.writeCities(3)
    let container = try stores.openCatalog(cityID: 2)
    try container.addReference(stores.reference)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for text in ["City 2", "CITY 2", "city 2, country", "Cïty 2,Country"] {
        let cities = try City.all(named: text, in: context)
        #expect(cities.map(\.latitude) == [2], "\(text)")
      }
      for text in ["", ",", "City", "City 2, Elsewhere"] {
        let cities = try City.all(named: text, in: context)
        #expect(cities.isEmpty, "\(text)")
      }
    }
  }

  @Test func `a misspelled city is the most similar one`() throws {
    let stores = try Stores()
    try stores.writeCities(3)
    let container = try stores.openCatalog(cityID: 2)
    try container.addReference(stores.reference)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for (text, latitude) in [("Citi 2", 2.0), ("CITTY 3", 3), ("Cty 1", 1)] {
        let city = try City.similar(to: text, in: context)
        #expect(city?.latitude == latitude, "\(text)")
      }
      for text in ["", "Cit", "City 2", "Town 2", "Xity 2", "City of Glass", String(repeating: "c", count: 10_000)] {
        let city = try City.similar(to: text, in: context)
        #expect(city == nil, "\(text)")
      }
    }
  }

  @Test func `a fetched property joins the stores of one coordinator`() throws {
    let stores = try Stores()
    try stores.writeCities(3)
    let container = try stores.openCatalog(cityID: 2)
    try container.addPersonal(stores.location, for: .writing)
    try container.addReference(stores.reference)
    try container.addSession()
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let quake = try #require(try Quake.find("us1", in: context))
      #expect(quake.nearestCity.map(\.name) == ["City 2"])
      let position = Position(context: context)
      (position.latitude, position.longitude, position.name) = (2, 20, "here")
      let place = Place(context: context)
      place.name = "home"
      try context.save()
      let city = try #require(quake.nearestCity.first)
      let objectIDs = [quake.objectID, place.objectID, city.objectID, position.objectID]
      #expect(objectIDs.map(\.persistentStore) == QuakesStore.allCases.map { container.store($0) })
      var names = CityNames(in: context, of: stores.reference)
      #expect(names.facts(of: quake).nearestCity?.text() == "12 km NNW of City 2, Country")
    }
    #expect(container.store(.reference)?.isReadOnly == true)
  }

  @Test func `a city missing from the store is not shown`() throws {
    let stores = try Stores()
    try stores.writeCities(3)
    let container = try stores.openCatalog(cityID: 7)
    try container.addReference(stores.reference)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let quake = try #require(try Quake.find("us1", in: context))
      var names = CityNames(in: context, of: stores.reference)
      #expect(names.facts(of: quake).nearestCity == nil && names.failure == nil)
      #expect(quake.nearestCity.isEmpty)
    }
  }

  /// The file is missing, empty, truncated, or not a store.
  @Test(arguments: [nil, Data(), Data("SQLite format 3\0".utf8), Data(repeating: 7, count: 9000)])
  func `an unusable reference store loses only the cities`(_ content: Data?) throws {
    let stores = try Stores()
    try content?.write(to: stores.reference.url)
    let container = try stores.openCatalog(cityID: 2)
    let failure = #expect(throws: Failure.self) { try container.addReference(stores.reference) }
    #expect(failure?.status == .storeUnavailable)
    #expect(failure?.message.contains(stores.reference.url.path) == true)
    #expect(failure?.message.contains("build.sh") == true)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let quake = try Quake.find("us1", in: context)
      #expect(quake?.facts.identifier == "us1")
    }
  }

  @Test func `a reference store with damaged pages loses only the cities`() throws {
    let stores = try Stores()
    try stores.writeCities(2000)
    let handle = try FileHandle(forWritingTo: stores.reference.url)
    let size = try handle.seekToEnd()
    // The first pages contain the schema and the metadata. The pages of the cities follow.
    let start: UInt64 = 16 * 4096
    #expect(size > 2 * start)
    try handle.seek(toOffset: start)
    try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(size - start)))
    try handle.close()
    let container = try stores.openCatalog(cityID: 1500)
    // The damage is noticed either when the store is added or by a later read.
    guard (try? container.addReference(stores.reference)) != nil else { return }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let quake = try #require(try Quake.find("us1", in: context))
      var names = CityNames(in: context, of: stores.reference)
      let facts = names.facts(of: quake)
      #expect(facts.identifier == "us1" && facts.nearestCity == nil)
      #expect(names.failure?.message.contains("Reference store") == true)
    }
  }

  @Test func `the reference store is found through the environment or next to the program`() throws {
    let stores = try Stores()
    let folder = stores.location.folder
    func find(_ variables: [String: String]) -> String? {
      ReferenceLocation.find(program: folder.appendingPathComponent("bin/quakes").path) { variables[$0] }?.url.path
    }
    func make(_ path: String) throws -> String {
      let url = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
      return url.path
    }
    let folders = "relative:\(folder.path)/nothing:\(folder.path)/data"
    #expect(find(["XDG_DATA_DIRS": folders]) == nil)
    let data = try make("data/quakes/Reference.sqlite")
    #expect(find(["XDG_DATA_DIRS": folders]) == data)
    let share = try make("share/quakes/Reference.sqlite")
    _ = try make("bin/quakes")
    #expect(find(["XDG_DATA_DIRS": folders]) == share)
    let adjacent = try make("bin/Reference.sqlite")
    #expect(find(["XDG_DATA_DIRS": folders, "QUAKES_REFERENCE": ""]) == adjacent)
    #expect(find(["QUAKES_REFERENCE": "/no/such/file"]) == "/no/such/file")
  }
}
