import AsyncStack
import CoreData
import Testing

@MainActor
struct AsyncStackTests {
  private let folder: TemporaryFolder
  private var storeURL: URL { folder.url.appendingPathComponent("Diary.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func addEntry(_ text: String, with controller: DataController) throws {
    let entry = Entry(context: controller.persistentContainer.viewContext)
    (entry.day, entry.text) = (Date(), text)
    try controller.persistentContainer.viewContext.save()
  }

  @Test func `the user interface starts before the store is open`() async throws {
    var result: Result<Void, any Error>?
    let controller = DataController(storeURL: storeURL) { result = $0 }
    // The completion handler needs the main queue, which this test still has.
    #expect(result == nil)
    #expect(await eventually { result != nil })
    try #require(result).get()
    try addEntry("Fair wind", with: controller)
    #expect(try controller.persistentContainer.viewContext.count(for: Entry.fetchRequest()) == 1)
  }

  @Test func `an awaited stack is ready to use`() async throws {
    try addEntry("Fair wind", with: try await DataController(storeURL: storeURL))
    let controller = try await DataController(storeURL: storeURL)
    let entries: NSFetchRequest<Entry> = Entry.fetchRequest()
    #expect(try controller.persistentContainer.viewContext.fetch(entries).map(\.text) == ["Fair wind"])
  }

  @Test func `a store that cannot be opened is an error`() async throws {
    try Data("no store".utf8).write(to: storeURL)
    var result: Result<Void, any Error>?
    let controller = DataController(storeURL: storeURL) { result = $0 }
    #expect(await eventually { result != nil })
    #expect(throws: CocoaError.self) { try #require(result).get() }
    #expect(controller.persistentContainer.persistentStoreCoordinator.persistentStores.isEmpty)
    await #expect(throws: CocoaError.self) { _ = try await DataController(storeURL: storeURL) }
  }
}
