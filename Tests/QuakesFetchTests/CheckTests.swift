import FlyingFox
import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

@Suite("Checking an event with the service") struct CheckTests {
  /// Checks events outside of the test's thread pool, which the server needs.
  private func check(_ ids: [String], at base: String, _ location: StoreLocation) async throws -> [Bool] {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let loader = try FeedLoader(limits: WebLimits(connectTimeout: 600_000, totalTimeout: 600_000))
            let fetcher = FetchRun(
              location: location, loader: loader, signals: WorkerSignals(), log: WorkerLog(isTimed: false))
            defer { fetcher.closeStore() }
            return try ids.map { try fetcher.check($0, with: EventService(base: base)) }
          })
      }
    }
  }

  @Test func `a run ends if its store was deleted or replaced`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let location = StoreLocation(folder: folder, isChosen: true)
    let fetcher = FetchRun(
      location: location, loader: try FeedLoader(), signals: WorkerSignals(), log: WorkerLog(isTimed: false))
    _ = try fetcher.openStore()
    _ = try fetcher.openStore()
    try FileManager.default.removeItem(at: folder)
    for _ in 0..<2 {
      let failure = #expect(throws: Failure.self) { try fetcher.openStore() }
      #expect(failure?.status == .storeUnavailable && failure?.message.contains("was deleted") == true)
      // Another store took its place.
      _ = try QuakesContainer.open(location, for: .writing)
    }
    fetcher.closeStore()
    #expect(location.hasStore)
  }

  @Test func `a check stores the response`() async throws {
    let catalog = try Catalog()
    try catalog.ingest(
      SnapshotText(
        generated: 0,
        events: [.init(id: "us1", hours: -1), .init(id: "us2", hours: -2), .init(id: "us3", hours: -3, place: "old")]))
    let answers = [
      "us2": feature(
        id: #""ci2""#,
        properties: [
          "net": #""ci""#, "code": #""2""#, "ids": #"",us2,ci2,""#, "time": "1626904800000", "updated": "1626912000000",
        ]),
      "us3": feature(
        id: #""us3""#,
        properties: [
          "code": #""3""#, "ids": #"",us3,""#, "place": #""new""#, "time": "1626901200000", "updated": "1626912000000",
        ]),
    ]
    let routes: [String: Handler] = [
      "/query": { request in
        let id = request.query.first { $0.name == "eventid" }?.value ?? ""
        if id == "us1" { return HTTPResponse(statusCode: HTTPStatusCode(409, phrase: "Conflict")) }
        guard let answer = answers[id] else { return HTTPResponse(statusCode: .notFound) }
        return HTTPResponse(statusCode: .ok, body: Data(answer.utf8))
      }
    ]
    try await withServer(routes) { base in
      let isKnown = try await check(["us1", "us2", "us3", "us4"], at: base, catalog.location)
      #expect(isKnown == [true, true, true, false])
    }
    #expect(try catalog.ids() == ["ci2", "us3"])
    #expect(try catalog.ids(.retracted) == ["us1"])
    #expect(try catalog.find("us2") == "ci2")
    let place = try catalog.read { try Quake.find("us3", in: $0)?.place }
    #expect(place == "new")
  }
}
