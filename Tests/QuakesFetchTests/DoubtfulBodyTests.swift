import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// Bodies of a feed that lack so many events that the service has probably failed.
@Suite struct DoubtfulBodyTests {
  @Test(arguments: [0, 60]) func `a body that lacks too many events is doubted until another confirms it`(left: Int)
    throws
  {
    let catalog = try Catalog()
    let events = (0..<100).map { SnapshotText.Event(id: "us\($0)", hours: -1 - Double($0)) }
    let few = Array(events[..<left])
    func ingest(_ events: [SnapshotText.Event], at hours: Double) throws -> ImportReport {
      try catalog.ingest(SnapshotText(generated: hours, events: events))
    }
    _ = try ingest(events, at: 0)
    // Servers fail for minutes.
    for hours in [1, 1.05, 1.1] {
      let report = try ingest(few, at: hours)
      #expect(report.doubted == 100 - left && report.retracted == 0)
    }
    #expect(try catalog.ids().count == 100)
    // A body with all events ends the doubt: the next failure starts a new one.
    #expect(try ingest(events, at: 1.3).doubted == 0)
    #expect(try ingest(few, at: 1.5).doubted == 100 - left)
    // Of another part, only what both bodies lack is withdrawn.
    let other = try ingest(Array(events[80...]), at: 2)
    #expect(other.retracted == 80 - left && other.doubted == left)
    _ = try ingest(few, at: 3)
    #expect(try ingest(few, at: 3.5).doubted == 0)
    #expect(try catalog.ids().count == left)
  }

  @Test func `the feed has the doubt until it ends`() throws {
    let catalog = try Catalog()
    let events = (0..<20).map { SnapshotText.Event(id: "us\($0)", hours: -1 - Double($0)) }
    func doubts() throws -> [String] {
      try catalog.read { context in
        try context.fetch(Feed.doubts(about: "all_week")).map { "\($0.name ?? "") \($0.doubtListed?.count ?? -1)" }
      }
    }
    try catalog.ingest(SnapshotText(generated: 0, events: events))
    #expect(try doubts() == [])
    try catalog.ingest(SnapshotText(generated: 1, events: Array(events[..<2])))
    #expect(try doubts() == ["test 8"])
    try catalog.read { context in
      let snapshots = try context.fetch(Snapshot.all(of: "usgs"))
      #expect(snapshots.map(\.feed) == ["all_week"])
    }
    try catalog.ingest(SnapshotText(generated: 1.1, events: events))
    #expect(try doubts() == [])
  }

  @Test func `an event that was reported after a doubtful body is not withdrawn by the next`() throws {
    let catalog = try Catalog()
    let events = (0..<20).map { SnapshotText.Event(id: "us\($0)", hours: -1 - Double($0)) }
    try catalog.ingest(SnapshotText(feed: "all_day", generated: 0, events: events))
    #expect(try catalog.ingest(SnapshotText(feed: "all_day", generated: 1, events: [])).doubted == 20)
    try catalog.ingest(SnapshotText(feed: "all_hour", generated: 1.1, events: [.init(id: "us99", hours: 0.9)]))
    let report = try catalog.ingest(SnapshotText(feed: "all_day", generated: 1.2, events: []))
    #expect(report.retracted == 20 && report.doubted == 1)
    #expect(try catalog.ids() == ["us99"])
  }

  @Test func `a few withdrawn events need no confirmation`() throws {
    let catalog = try Catalog()
    let events = (0..<200).map { SnapshotText.Event(id: "us\($0)", hours: -1 - Double($0) / 2) }
    try catalog.ingest(SnapshotText(generated: 0, events: events))
    let report = try catalog.ingest(SnapshotText(generated: 1, events: Array(events[10...])))
    #expect(report.retracted == 10 && report.doubted == 0)
  }

  @Test func `a truncated body does not end a doubt`() throws {
    let catalog = try Catalog()
    let events = (0..<20).map { SnapshotText.Event(id: "us\($0)", hours: -1 - Double($0)) }
    try catalog.ingest(SnapshotText(generated: 0, events: events))
    #expect(try catalog.ingest(SnapshotText(generated: 1, events: [])).doubted == 20)
    var text = SnapshotText(generated: 1.1, events: events).text
    text.removeLast(3)
    #expect(try catalog.ingest(text).retracted == 0)
    #expect(try catalog.ingest(SnapshotText(generated: 1.2, events: [])).retracted == 20)
  }

  @Test func `the number of a region does not replace a known place`() throws {
    let catalog = try Catalog()
    try catalog.ingest(SnapshotText(generated: 0, events: [.init(id: "us1", hours: -1, place: "HONSHU")]))
    try catalog.ingest(SnapshotText(generated: 1, events: [.init(id: "us1", hours: -1, place: "228", updated: 1)]))
    #expect(try catalog.places("us1").last?.hasSuffix("HONSHU") == true)
  }
}
