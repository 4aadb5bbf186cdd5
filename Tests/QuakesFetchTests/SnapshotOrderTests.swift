import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// A simulated service whose events appear late, and are revised, renamed and withdrawn over time.
private struct SimulatedService {
  struct State {
    /// Hours after the base.
    var since: Double
    /// The event, or nil after its withdrawal.
    var event: SnapshotText.Event?
  }

  private var timelines: [[State]] = []
  private var random: SeededRandom

  init(events: Int, seed: UInt64) {
    random = SeededRandom(seed: seed)
    for number in 0..<events { timelines.append(timeline(number)) }
  }

  private mutating func timeline(_ number: Int) -> [State] {
    let time = Double.random(in: -100...60, using: &random)
    var event = SnapshotText.Event(
      id: "us\(number)", hours: time, magnitude: Double(Int.random(in: 0...60, using: &random)) / 10, place: "first")
    event.updated = time
    var hour = max(-90, time + Double.random(in: 0.1...20, using: &random))
    var states = [State(since: hour, event: event)]
    while hour < 70, Int.random(in: 0...3, using: &random) > 0 {
      hour += Double.random(in: 0.5...30, using: &random)
      switch Int.random(in: 0...9, using: &random) {
      case 0:
        states.append(State(since: hour, event: nil))
        // Some return and disappear again: servers of one service may differ for days.
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          hour += 8
          states.append(State(since: hour, event: states.last?.event == nil ? event : nil))
        }
        return states
      case 1...2 where event.id.hasPrefix("us"):
        event.id = "ci\(number)"
        event.ids = ["us\(number)", "ci\(number)"]
        event.updated = hour
      case 3...5: event.place = "silent \(Int(hour * 10))"
      default:
        event.magnitude += 0.1
        event.updated = hour
      }
      states.append(State(since: hour, event: event))
    }
    return states
  }

  /// The contents of a feed at an hour.
  func snapshot(_ feed: String, at hour: Double) -> SnapshotText {
    let lengths = ["hour": 1.0, "day": 24, "week": 168]
    let parts = feed.split(separator: "_")
    let length = lengths[String(parts[1])] ?? 0
    let minimum = parts[0] == "all" ? -.infinity : (Double(parts[0]) ?? 0) - 0.05
    let events = timelines.compactMap { $0.last { $0.since <= hour }?.event }
      .filter { (hour - length...hour).contains($0.hours) && $0.magnitude >= minimum }
    return SnapshotText(feed: feed, generated: hour, events: events)
  }
}

@Suite("Order of snapshots") struct SnapshotOrderTests {
  private static let feeds = ["all_hour", "all_day", "all_week", "all_week", "4.5_week", "2.5_day"]

  /// The live events and their places after importing snapshots in this order.
  private func result(_ snapshots: [SnapshotText]) throws -> [String] {
    let catalog = try Catalog()
    for snapshot in snapshots { try catalog.ingest(snapshot) }
    return try catalog.read { context in
      try context.fetch(Quake.fetchRequest()).filter { $0.standingValue == .live }
        .map { "\($0.identifier ?? "") \($0.place ?? "") \($0.magnitude ?? 0)" }.sorted()
    }
  }

  @Test(arguments: (0..<12).sampled(every: 3))
  func `every order of ten snapshots results in the same catalog`(round: Int) throws {
    let seed = SeededRandom.defaultSeed &* 1000 + UInt64(round)
    var random = SeededRandom(seed: seed)
    let service = SimulatedService(events: 60, seed: seed)
    var snapshots = (0..<9).map { _ in
      service.snapshot(
        Self.feeds.randomElement(using: &random) ?? "", at: Double(Int.random(in: 0...700, using: &random)) / 10)
    }
    // The last snapshot has the largest effect: in half of the rounds it may be any feed.
    snapshots.append(
      service.snapshot(round.isMultiple(of: 2) ? "all_week" : Self.feeds.randomElement(using: &random) ?? "", at: 71))
    snapshots.sort { $0.generated < $1.generated }
    let expected = try result(snapshots)
    let listed = Set(snapshots[9].events.map(\.id))
    #expect(listed.isSubset(of: Set(expected.map { String($0.prefix { $0 != " " }) })), "seed \(seed)")
    for _ in 0..<4 {
      snapshots.shuffle(using: &random)
      let order = snapshots.map { "\($0.feed) \($0.generated)" }
      let difference = Set(try result(snapshots)).symmetricDifference(expected)
      #expect(difference.isEmpty, "seed \(seed), order \(order)")
    }
  }
}
