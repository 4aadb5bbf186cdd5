import Containers
import CoreData
import Testing

struct ContainersTests {
  @MainActor @Test func `the preview has sample objects and no file`() throws {
    let container = PersistenceController.preview.container
    let request: NSFetchRequest<Stop> = Stop.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Stop.arrival, ascending: false)]
    request.fetchLimit = 2
    #expect(try container.viewContext.fetch(request).map(\.place) == ["Stop 10", "Stop 9"])
    #expect(container.persistentStoreCoordinator.persistentStores.map(\.url?.path) == ["/dev/null"])
  }

  @MainActor @Test func `the view context shows saves of a background task`() async throws {
    let container = PersistenceController(inMemory: true).container
    let viewContext = container.viewContext
    let id = try await container.performBackgroundTask { context in
      let stop = Stop(context: context)
      (stop.arrival, stop.place, stop.traveler) = (Date(), "Tonga", "Ada")
      try context.save()
      return stop.objectID
    }
    let stop = try #require(try viewContext.existingObject(with: id) as? Stop)
    try await container.performBackgroundTask { context in
      try #require(try context.existingObject(with: id) as? Stop).place = "Samoa"
      try context.save()
    }
    #expect(await eventually { stop.place == "Samoa" })
  }

  @Test func `processes show each other's commits`() async throws {
    let home = try TemporaryFolder()
    let programs = try ["Ada", "Ben", "Cleo"].map { try Program("trip-log", [$0, "15", "45"], home: home) }
    for program in programs {
      #expect(await program.status() == 0)
      #expect(program.errorLines == [])
      #expect(program.lines == ["Ada 15, Ben 15, Cleo 15"])
    }
    let store = home.url.appendingPathComponent("group.trips/Trips.sqlite")
    #expect(FileManager.default.fileExists(atPath: store.path))
  }
}
