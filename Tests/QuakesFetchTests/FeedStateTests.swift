import CoreData
import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

@Suite("Feed state") struct FeedStateTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
  private let request = FeedRequest(name: "all_day", source: .web("http://h/all_day.geojson"))

  private func withState(_ body: (FeedState) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let location = StoreLocation(folder: folder, isChosen: true)
    try body(FeedState(container: QuakesContainer.open(location, for: .writing), location: location))
  }

  private struct Seen: Equatable {
    var status: String?
    var since: Date?
    var commits: Int
  }

  private func seen(_ container: QuakesContainer) throws -> Seen {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let feed = try context.fetch(Feed.named(request.name)).first
      let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(history) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      return Seen(status: feed?.lastStatus, since: feed?.failingSince, commits: transactions.count)
    }
  }

  @Test func `only changes of a feed's state are committed`() throws {
    let start = Date(timeIntervalSinceReferenceDate: 1000)
    try withState { state in
      for second in 0..<3 { try state.recordFailure(of: request, message: "no route", now: start + Double(second)) }
      #expect(try seen(state.container) == Seen(status: "no route", since: start, commits: 1))
      try state.recordFailure(of: request, message: "HTTP 503", now: start + 9)
      #expect(try seen(state.container) == Seen(status: "HTTP 503", since: start, commits: 2))
      for _ in 0..<2 { try state.recordSuccess(of: request) }
      #expect(try seen(state.container) == Seen(status: "ok", since: nil, commits: 3))
      try state.recordFailure(of: request, message: "HTTP 503", now: start + 20)
      #expect(try seen(state.container) == Seen(status: "HTTP 503", since: start + 20, commits: 4))
    }
  }

  @Test func `a failure does not repeat the address, with or without a period`() throws {
    try withState { state in
      let context = state.container.newBackgroundContext()
      context.performAndWait {
        let feed = Feed(context: context)
        (feed.name, feed.url) = ("afad_day", "http://h/filter")
        for address in ["http://h/filter", "http://h/filter?start=1&end=2"] {
          feed.lastStatus = "cannot reach \(address): no route"
          #expect(feed.failure.hasPrefix("cannot reach the service") && feed.failure.hasSuffix(" no route"))
          #expect(!feed.failure.contains("start"))
        }
      }
    }
  }

  @Test func `an import clears the failure`() throws {
    try withState { state in
      try state.recordFailure(of: request, message: "no route", now: Date())
      let work = QuakeImport(openStore: { state.container }, location: state.location)
      let body = Data(#"{"type":"FeatureCollection","metadata":{"generated":1},"features":[]}"#.utf8)
      _ = try work.run(FeedBody(body), from: request, now: Date()) { _ in }
      #expect(try seen(state.container) == Seen(status: "ok", since: nil, commits: 2))
    }
  }

  @Test func `a success of an unknown feed is not saved`() throws {
    try withState { state in
      try state.recordSuccess(of: request)
      #expect(try seen(state.container) == Seen(status: nil, since: nil, commits: 0))
    }
  }
}
