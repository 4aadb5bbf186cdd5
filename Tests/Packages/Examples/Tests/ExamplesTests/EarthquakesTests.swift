import CoreData
import Earthquakes
import Testing

@MainActor
struct EarthquakesTests {
  private let folder: TemporaryFolder
  private let provider: QuakesProvider
  private let importer: QuakeImporter

  init() throws {
    folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Earthquakes.sqlite")
    provider = try QuakesProvider(storeURL: url)
    importer = try QuakeImporter(model: provider.container.managedObjectModel, storeURL: url)
  }

  /// A feed of invented earthquakes.
  /// - Parameter updated: the time of the records' last change, in hours.
  private func feed(_ codes: Range<Int>, magnitude: Double = 4, updated: Int = 1) -> Data {
    let features = codes.map {
      """
      {"properties": {"code": "q\($0)", "mag": \(magnitude), "place": "Place \($0)", "time": \($0 * 1000),
        "updated": \(updated * 3_600_000)}}
      """
    }
    return Data(#"{"features": [\#(features.joined(separator: ","))]}"#.utf8)
  }

  private func shown() throws -> [Quake] {
    let request: NSFetchRequest<Quake> = Quake.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Quake.time, ascending: true)]
    return try provider.container.viewContext.fetch(request)
  }

  /// The transactions in the history, as the number of changes of each.
  private func history() async throws -> [Int] {
    try await provider.container.performBackgroundTask { context in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return (result?.result as? [NSPersistentHistoryTransaction] ?? []).map { $0.changes?.count ?? 0 }
    }
  }

  @Test func `an import reports new and updated earthquakes`() async throws {
    #expect(try await importer.importQuakes(from: feed(0..<300)) == .init(inserted: 300))
    let later = feed(250..<310, magnitude: 5, updated: 2)
    #expect(try await importer.importQuakes(from: later) == .init(inserted: 10, updated: 50))
    #expect(try await importer.importQuakes(from: feed(0..<300)) == .init(unchanged: 300))
    #expect(try shown().count == 310)
    #expect(try shown().filter { $0.magnitude == 5 }.count == 60)
  }

  @Test func `importing the same feed again writes nothing`() async throws {
    _ = try await importer.importQuakes(from: feed(0..<300), batchSize: 100)
    #expect(try await history() == [100, 100, 100])
    _ = try await importer.importQuakes(from: feed(0..<300), batchSize: 100)
    #expect(try await history() == [100, 100, 100])
  }

  @Test func `incomplete records are skipped`() async throws {
    let json = """
      {"features": [{"properties": {"code": "a", "mag": null, "time": 1, "updated": 1}}, {"properties": {}},
        {"properties": {"code": "b", "mag": 4.5, "time": 1, "updated": 1}}]}
      """
    #expect(try await importer.importQuakes(from: Data(json.utf8)) == .init(inserted: 1))
    await #expect(throws: DecodingError.self) { try await importer.importQuakes(from: Data("<html>".utf8)) }
  }

  @Test func `the view context shows an import without a fetch`() async throws {
    _ = try await importer.importQuakes(from: feed(0..<3))
    let quakes = try shown()
    #expect(quakes.map(\.magnitude) == [4, 4, 4])
    _ = try await importer.importQuakes(from: feed(1..<2, magnitude: 6.5, updated: 2))
    #expect(await eventually { quakes.map(\.magnitude) == [4, 6.5, 4] })
    #expect(!provider.container.viewContext.hasChanges)
  }

  @Test func `a batch insert updates existing rows`() async throws {
    try await importer.batchInsertQuakes(from: feed(0..<200))
    let quakes = try shown()
    #expect(quakes.count == 200)
    try await importer.batchInsertQuakes(from: feed(100..<250, magnitude: 7, updated: 2))
    #expect(await eventually { quakes.filter { $0.magnitude == 7 }.count == 100 })
    #expect(try shown().count == 250)
    #expect(Set(try shown().map(\.code)).count == 250)
  }

  @Test func `merged history can be purged`() async throws {
    _ = try await importer.importQuakes(from: feed(0..<300), batchSize: 100)
    try await provider.mergeHistory()
    try await provider.purgeHistory()
    #expect(try await history().count <= 1)
    // Later transactions are still merged.
    let first = try #require(try shown().first)
    _ = try await importer.importQuakes(from: feed(0..<1, magnitude: 8, updated: 2))
    #expect(await eventually { first.magnitude == 8 })
  }

  @Test func `a reader that missed purged history refreshes`() async throws {
    _ = try await importer.importQuakes(from: feed(0..<3))
    let quakes = try shown()
    #expect(quakes.map(\.magnitude) == [4, 4, 4])
    _ = try await importer.importQuakes(from: feed(0..<3, magnitude: 5, updated: 2))
    try await provider.container.performBackgroundTask { context in
      let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date())
      try context.execute(request)
    }
    try await provider.mergeHistory()
    #expect(await eventually { quakes.map(\.magnitude) == [5, 5, 5] })
  }
}
