import CoreData
import FlyingFox
import Foundation
import Synchronization
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// An FDSN event service with an event an hour.
private final class EventServer: Sendable {
  struct State {
    var queries: [String] = []
    /// The number of queries after which the service fails.
    var maximumQueries = Int.max
    /// Responses to the next queries, before any other.
    var failures: [HTTPResponse] = []
    var open = 0
    var maximumOpen = 0
  }

  static let start = Date(timeIntervalSince1970: 1_397_520_000)
  let state = Mutex(State())
  let count: Int
  /// Whether the service has the USGS's extensions of the standard.
  let isRich: Bool
  let limit: Int

  init(count: Int, limit: Int, isRich: Bool = true) {
    (self.count, self.limit, self.isRich) = (count, limit, isRich)
  }

  var routes: [String: Handler] {
    [
      "/count": { [self] request in
        isRich ? text("\(events(request).count)\n") : HTTPResponse(statusCode: .notFound)
      },
      "/query": { [self] request in
        state.withLock { state in
          state.open += 1
          state.maximumOpen = max(state.maximumOpen, state.open)
        }
        defer { state.withLock { $0.open -= 1 } }
        return query(request)
      },
    ]
  }

  private func query(_ request: HTTPRequest) -> HTTPResponse {
    let events = events(request)
    let isText = request.query["format"] == "text"
    guard isRich || isText else { return HTTPResponse(statusCode: .badRequest) }
    if let failure = state.withLock({ $0.failures.isEmpty ? nil : $0.failures.removeFirst() }) { return failure }
    guard !isRich || events.count <= limit else { return HTTPResponse(statusCode: .badRequest) }
    let isDown = state.withLock { state in
      guard state.queries.count < state.maximumQueries else { return true }
      state.queries.append(request.query["starttime"] ?? "")
      return false
    }
    if isDown { return HTTPResponse(statusCode: .serviceUnavailable) }
    guard !events.isEmpty else { return HTTPResponse(statusCode: .noContent) }
    return text(isText ? lines(events.prefix(limit)) : feed(events.prefix(limit)))
  }

  private func text(_ text: String) -> HTTPResponse { HTTPResponse(statusCode: .ok, body: Data(text.utf8)) }

  private func events(_ request: HTTPRequest) -> [Int] {
    guard let start = request.query["starttime"].flatMap({ ISO8601.date($0) }),
      let end = request.query["endtime"].flatMap({ ISO8601.date($0) })
    else { return [] }
    return (0..<count).filter { start...end ~= time($0) }
  }

  private func time(_ event: Int) -> Date { Self.start + Double(event) * 3600 }

  private func feed(_ events: ArraySlice<Int>) -> String {
    let features = events.map { event in
      """
      {"type":"Feature","properties":{"mag":1.5,"time":\(Int(time(event).timeIntervalSince1970) * 1000)},
      "geometry":{"type":"Point","coordinates":[1,2,3]},"id":"us\(event)"}
      """
    }
    return #"{"type":"FeatureCollection","metadata":{"generated":1},"features":[\#(features.joined(separator: ","))]}"#
  }

  private func lines(_ events: ArraySlice<Int>) -> String {
    let head =
      "#EventID | Time | Latitude | Longitude | Depth/km | Author | Catalog | Contributor | ContributorID | MagType | "
      + "Magnitude | MagAuthor | EventLocationName\n"
    return head
      + events.map { event in
        "us\(event)|\(ISO8601.text(time(event)))|2|1|3|us|us|us|us\(event)|mw|1.5|us|SOMEWHERE \"\(event)\"\n"
      }.joined()
  }
}

@Suite("Backfill", .serialized) struct BackfillTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fill-\(UUID().uuidString)")
  private var location: StoreLocation { StoreLocation(folder: folder, isChosen: true) }
  private var file: URL { BackfillPlan.file(location, wish: ["test"]) }

  /// Runs outside of the test's thread pool, which the server needs.
  private func run(_ base: String, hours: Int, limit: Int, attempts: Int = 3) async -> Result<Int, any Error> {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: Result {
            let log = WorkerLog(isTimed: false)
            let fetcher = FetchRun(
              location: location, loader: try FeedLoader(limits: WebLimits(totalTimeout: 600_000)),
              signals: WorkerSignals(), log: log)
            let plan = BackfillPlan(since: EventServer.start, until: EventServer.start + Double(hours) * 3600)
            let run = BackfillRun(
              fetcher, service: EventService(base: base), plan: plan, file: file, progress: BackfillProgress(log: log))
            (run.maximumEvents, run.firstWait, run.maximumAttempts) = (limit, .milliseconds(1), attempts)
            try run.run()
            return run.received
          })
      }
    }
  }

  private func identifiers() throws -> Set<String> {
    let context = try QuakesContainer.open(location, for: .reading).newBackgroundContext()
    return try context.performAndWait { Set(try context.fetch(Quake.fetchRequest()).compactMap(\.identifier)) }
  }

  @Test func `a backfill stores every event in sequential parts`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = EventServer(count: 300, limit: 50)
    try await withServer(server.routes) { base in
      // Halves share an event at their border.
      let received = try await run(base, hours: 400, limit: 50).get()
      #expect(received >= 300)
    }
    #expect(try identifiers() == Set((0..<300).map { "us\($0)" }))
    #expect(server.state.withLock { $0.maximumOpen } == 1)
    #expect(server.state.withLock { $0.queries.count } > 6)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a backfill resumes after a failure`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = EventServer(count: 100, limit: 30)
    try await withServer(server.routes) { base in
      server.state.withLock { $0.maximumQueries = 2 }
      guard case .failure = await run(base, hours: 120, limit: 30) else {
        Issue.record("the run succeeded, although the service failed")
        return
      }
      let before = server.state.withLock { $0.queries }
      #expect(before.count == 2 && FileManager.default.fileExists(atPath: file.path))
      server.state.withLock { ($0.maximumQueries, $0.queries) = (.max, []) }
      let received = try await run(base, hours: 120, limit: 30).get()
      #expect(received >= 100)
      #expect(server.state.withLock { Set($0.queries).isDisjoint(with: before) })
    }
    #expect(try identifiers() == Set((0..<100).map { "us\($0)" }))
  }

  @Test func `a backfill retries when the service asks to wait`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = EventServer(count: 10, limit: 50)
    let retry = HTTPHeaders([HTTPHeader("Retry-After"): "0"])
    server.state.withLock {
      $0.failures = [
        HTTPResponse(statusCode: .tooManyRequests, headers: retry), HTTPResponse(statusCode: .serviceUnavailable),
      ]
    }
    try await withServer(server.routes) { base in
      let received = try await run(base, hours: 20, limit: 50).get()
      #expect(received == 10)
    }
  }

  @Test func `a minimal FDSN service is sufficient`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = EventServer(count: 1000, limit: 400, isRich: false)
    try await withServer(server.routes) { base in
      let received = try await run(base, hours: 2000, limit: 400).get()
      #expect(received >= 1000)
    }
    #expect(try identifiers() == Set((0..<1000).map { "us\($0)" }))
  }

  @Test(arguments: [
    #""received":-1"#, #""received":9223372036854775807"#, #""total":-1,"received":0"#, #""received":0,"start":1e300"#,
    #""received":0,"start":2"#,
  ])
  func `a plan with impossible numbers is not read`(fields: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let start = fields.contains("start") ? String(fields.split(separator: ":").last ?? "") : "0"
    let counts = fields.split(separator: ",").filter { !$0.contains("start") }.joined(separator: ",")
    let text = #"{"pending":[{"start":\#(start),"end":1}],\#(counts),"format":"geojson","canCount":true}"#
    try Data(text.utf8).write(to: file)
    #expect(BackfillPlan(from: file) == nil)
  }

  @Test func `a saved plan reads back equal`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var plan = BackfillPlan(since: Date(timeIntervalSince1970: 0), until: Date(timeIntervalSince1970: 1000))
    (plan.total, plan.received) = (20, 10)
    try plan.save(to: file)
    #expect(BackfillPlan(from: file) == plan)
  }
}
