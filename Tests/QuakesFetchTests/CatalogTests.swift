import CoreData
import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// A summary feed at one time, with events given by their IDs and ages in hours.
struct SnapshotText {
  struct Event {
    var id: String
    var ids: [String] = []
    var hours: Double
    var magnitude = 2.0
    var place = "somewhere"
    /// Hours after the base.
    var updated = 0.0
    var status = "automatic"
    var latitude = 10.0
  }

  /// The origin of all times: 2021-07-22 00:00 UTC.
  static let base = 1_626_912_000.0

  var feed = "all_week"
  /// Hours after the base.
  var generated: Double
  var events: [Event]
  var count: Int?
  /// Whether the events come first.
  var isHeadLast = false

  var text: String {
    let features = events.map { event in
      let network = String(event.id.prefix(2))
      return feature(
        id: "\"\(event.id)\"",
        properties: [
          "time": Self.milliseconds(event.hours), "updated": Self.milliseconds(event.updated),
          "mag": "\(event.magnitude)", "place": "\"\(event.place)\"", "net": "\"\(network)\"",
          "code": "\"\(event.id.dropFirst(2))\"", "status": "\"\(event.status)\"",
          "ids": "\",\((event.ids.isEmpty ? [event.id] : event.ids).joined(separator: ",")),\"",
          "title": "\"M - \(event.place)\"",
        ], coordinates: "[20,\(event.latitude),10]")
    }
    let head =
      #""metadata":{"generated":\#(Self.milliseconds(generated)),"#
      + #""url":"https://example.org/feed/v1.0/summary/\#(feed).geojson","title":"Test","status":200,"#
      + #""count":\#(count ?? events.count)}"#
    let list = #""features":[\#(features.joined(separator: ","))]"#
    return #"{"type":"FeatureCollection",\#(isHeadLast ? list : head),\#(isHeadLast ? head : list)}"#
  }

  static func date(_ hours: Double) -> Date { Date(timeIntervalSince1970: base + hours * 3600) }
  private static func milliseconds(_ hours: Double) -> String { String(Int((base + hours * 3600) * 1000)) }
}

/// A separate store that imports documents.
final class Catalog {
  let location: StoreLocation
  let container: QuakesContainer
  var cities: CityGrid?
  var sizes = BodyImport.Sizes()

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("catalog-\(UUID().uuidString)")
    location = StoreLocation(folder: folder, isChosen: true)
    container = try QuakesContainer.open(location, for: .writing)
  }

  deinit {
    for store in container.persistentStoreCoordinator.persistentStores {
      try? container.persistentStoreCoordinator.remove(store)
    }
    try? FileManager.default.removeItem(at: location.folder)
  }

  @discardableResult
  func ingest(_ snapshots: SnapshotText...) throws -> ImportReport {
    var report = ImportReport()
    for snapshot in snapshots { report = try ingest(snapshot.text) }
    return report
  }

  @discardableResult
  func ingest(_ text: String) throws -> ImportReport {
    let work = QuakeImport(
      openStore: { [container] in container }, location: location, sizes: sizes, cities: { [cities] in cities })
    return try work.run(
      FeedBody(Data(text.utf8)), from: FeedRequest(name: "test", source: .standardInput), now: SnapshotText.date(100)
    ) { _ in }
  }

  func read<Result>(_ body: @Sendable (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = container.newBackgroundContext()
    return try context.performAndWait { try body(context) }
  }

  /// The sorted IDs of all earthquakes with a standing.
  func ids(_ standing: Standing = .live) throws -> [String] {
    try read { context in
      try context.fetch(Quake.fetchRequest()).filter { $0.standing == standing.rawValue }
        .map { $0.identifier ?? "" }.sorted()
    }
  }

  /// The reported places of an earthquake, oldest first, each with its hour and standing.
  func places(_ id: String) throws -> [String] {
    try read { context in
      let quake = try #require(try Quake.find(id, in: context))
      return quake.history.map { record in
        let hours = (record.said.timeIntervalSince1970 - SnapshotText.base) / 3600
        let standing = record.state.standing == .live ? "" : " (\(record.state.standing))"
        return "\(Int(hours)) \(record.state.text(.place) ?? "nil")\(standing)"
      }
    }
  }

  /// The number of transactions in the store's history.
  var commits: Int {
    get throws {
      try read { context in
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return (result?.result as? [NSPersistentHistoryTransaction])?.count ?? 0
      }
    }
  }

  func find(_ id: String) throws -> String? {
    try read { try Quake.find(id, in: $0)?.identifier }
  }
}

/// Two bodies of one feed, 54 hours apart, with an event for each kind of change.
private let monday = SnapshotText(
  generated: 0,
  events: [
    .init(id: "us1", hours: -1), .init(id: "us2", hours: -2, place: "old place"), .init(id: "us3", hours: -3),
    .init(id: "us4", ids: ["us4", "at4"], hours: -4), .init(id: "ci5", ids: ["ci5", "us5"], hours: -5),
    .init(id: "nc6", hours: -6), .init(id: "us6", hours: -6), .init(id: "us7", hours: -160),
    .init(id: "us8", hours: -167.99), .init(id: "us9", hours: -8),
  ])
private let wednesday = SnapshotText(
  generated: 54,
  events: [
    // us1 is as before; us2 has another place, silently; us3 is gone; us4 has become nn4.
    .init(id: "us1", hours: -1), .init(id: "us2", hours: -2, place: "new place"),
    .init(id: "nn4", ids: ["us4", "nn4"], hours: -4, updated: 1), .init(id: "ci5", ids: ["ci5", "us5"], hours: -5),
    // us6 is now part of nc6; us7 and us8 are older than a week; us9 was revised; us10 and us11 are new, us11 late.
    .init(id: "nc6", ids: ["nc6", "us6"], hours: -6), .init(id: "us9", hours: -8, magnitude: 3, updated: 20),
    .init(id: "us10", hours: 53), .init(id: "us11", hours: -20),
  ])
private let live = ["ci5", "nc6", "nn4", "us1", "us10", "us11", "us2", "us7", "us8", "us9"]

@Suite("Catalog") struct CatalogTests {
  @Test func `revisions keep uncertainties, and formats without them leave them`() throws {
    let catalog = try Catalog()
    try catalog.ingest(TableSamples.csv)
    let again = TableSamples.csv.replacing(",0.75,1.9,,1,", with: ",0.5,1.9,0.2,9,").replacing(
      "00:32:02", with: "00:33:02")
    #expect(try catalog.ingest(again).changed == 1)
    let body = feedBody([feature(id: #""nc72629200""#, properties: ["updated": "1562100000000"])])
    try catalog.ingest(body.replacing(#""generated":1397564044000"#, with: #""generated":1562100000000"#))
    try catalog.read { context in
      let quake = try #require(try Quake.find("nc72629200", in: context))
      let states = quake.history.map(\.state)
      #expect(states.map { $0.number(.horizontalError) } == [0.75, 0.5, 0.5])
      #expect(states.map { $0.number(.magnitudeError) } == [nil, 0.2, 0.2])
      #expect(states.map { $0.text(.locationSource) } == ["nc", "nc", "nc"])
      #expect(states.map { $0.date(.firstSeen) } == Array(repeating: SnapshotText.date(100), count: 3))
    }
  }

  @Test(arguments: ["MW", "WM", "MWM", "MWW", "WMW", "WMM", "WWM", "MMW"])
  func `every order of snapshots results in the same catalog`(order: String) throws {
    let catalog = try Catalog()
    for letter in order { try catalog.ingest(letter == "M" ? monday : wednesday) }
    #expect(try catalog.ids() == live)
    #expect(try catalog.ids(.retracted) == ["us3"])
    #expect(try catalog.ids(.merged) == ["us6"])
    #expect(try catalog.places("us2") == ["0 old place", "54 new place"])
    #expect(try catalog.places("us3") == ["0 somewhere", "54 somewhere (retracted)"])
    #expect(try catalog.places("us1") == ["0 somewhere"])
    #expect(try catalog.find("us4") == "nn4")
    #expect(try catalog.find("us6") == "nc6")
    #expect(try catalog.find("at4") == "nn4")
    #expect(try catalog.find("us5") == "ci5")
  }

  @Test(arguments: ["MW", "WM", "WMW"]) func `metadata may follow the events`(order: String) throws {
    let (usual, sorted) = (try Catalog(), try Catalog())
    for letter in order {
      var snapshot = letter == "M" ? monday : wednesday
      try usual.ingest(snapshot)
      snapshot.isHeadLast = true
      try sorted.ingest(snapshot)
    }
    for id in ["us1", "us2", "us3", "us5", "nn4", "ci5"] {
      #expect(try sorted.places(id) == usual.places(id), "\(id)")
    }
    #expect(try sorted.ids() == live)
    #expect(try sorted.ids(.retracted) == ["us3"])
  }

  @Test func `the report counts the changes`() throws {
    let catalog = try Catalog()
    #expect(try catalog.ingest(monday).description == "10 events: 10 new, 0 changed, 0 unchanged, 0 bad")
    let report = try catalog.ingest(wednesday)
    #expect(
      report.description
        == "8 events: 2 new, 4 changed, 2 unchanged, 0 bad, 2 changed silently, 1 renamed, 1 merged, 1 retracted")
    #expect(try !catalog.ingest(wednesday).hasChanges)
    #expect(try !catalog.ingest(monday).hasChanges)
  }

  @Test func `a retracted event can return`() throws {
    let catalog = try Catalog()
    try catalog.ingest(monday, wednesday)
    var friday = wednesday
    friday.generated = 60
    friday.events.append(.init(id: "us3", hours: -3))
    try catalog.ingest(friday)
    #expect(try catalog.ids(.retracted).isEmpty)
    #expect(try catalog.places("us3") == ["0 somewhere", "54 somewhere (retracted)", "60 somewhere"])
    try catalog.ingest(monday, wednesday)
    #expect(try catalog.ids(.retracted).isEmpty)
  }

  @Test func `only a complete body of all events proves absence`() throws {
    let empty = SnapshotText(generated: 10, events: [.init(id: "us1", hours: -1)])
    for change in ["4.5_week", "significant_week", "all_hour", "cut", "count", "uncounted", "bad"] {
      let catalog = try Catalog()
      try catalog.ingest(monday)
      var later = empty
      if change.contains("_") { later.feed = change }
      if change == "count" { later.count = 2 }
      var text = later.text
      if change == "cut" { text.removeLast(3) }
      if change == "uncounted" { text = text.replacingOccurrences(of: #","count":1"#, with: "") }
      if change == "bad" { text = text.replacingOccurrences(of: "]}", with: ",{}]}") }
      #expect(try catalog.ingest(text).retracted == 0, "\(change)")
      #expect(try catalog.ids(.retracted).isEmpty, "\(change)")
    }
  }

  @Test(arguments: [1, 2, 3, 100]) func `any number of events can be withdrawn in one import`(size: Int) throws {
    let catalog = try Catalog()
    catalog.sizes.transaction = size
    let events = (0..<7).map { SnapshotText.Event(id: "us\($0)", hours: -1 - Double($0 / 3)) }
    try catalog.ingest(SnapshotText(generated: 0, events: events))
    #expect(try catalog.ingest(SnapshotText(generated: 1, events: [events[5]])).doubted == 6)
    let report = try catalog.ingest(SnapshotText(generated: 1.2, events: [events[5]]))
    #expect(report.retracted == 6)
    #expect(try catalog.ids() == ["us5"])
    #expect(try catalog.ids(.retracted).count == 6)
  }

  @Test func `a stopped import leaves the store unchanged`() throws {
    let catalog = try Catalog()
    let text = SnapshotText(generated: 0, events: [.init(id: "us1", hours: -1)], isHeadLast: true).text
    let work = QuakeImport(
      openStore: { [catalog] in catalog.container }, location: catalog.location, isStopped: { true })
    let failure = #expect(throws: Failure.self) {
      try work.run(
        FeedBody(Data(text.utf8)), from: FeedRequest(name: "test", source: .standardInput), now: SnapshotText.date(1)
      ) { _ in }
    }
    #expect(failure?.status == .busy && failure?.message.contains("asked to stop") == true)
    #expect(try catalog.ids().isEmpty)
  }

  @Test func `a body that renames too many earthquakes is refused`() throws {
    let catalog = try Catalog()
    catalog.sizes.unsettled = 3
    try catalog.ingest(SnapshotText(generated: 0, events: [.init(id: "us1", ids: ["us1", "ci1"], hours: -1)]))
    let events = (0..<4).map { SnapshotText.Event(id: "nc\($0)", ids: ["nc\($0)", "ci1"], hours: -1) }
    let failure = #expect(throws: Failure.self) { try catalog.ingest(SnapshotText(generated: 1, events: events)) }
    #expect(failure?.status == .badResponse && failure?.message.contains("more than 3 earthquakes") == true)
    #expect(try catalog.ids() == ["us1"])
  }

  @Test func `an absence at the edges of the feed's period is ignored`() throws {
    let catalog = try Catalog()
    let other = SnapshotText.Event(id: "us4", hours: -2)
    try catalog.ingest(
      SnapshotText(
        generated: 0,
        events: [
          .init(id: "us1", hours: -0.01), .init(id: "us2", hours: -1), .init(id: "us3", hours: -167.98), other,
        ]))
    // us1 is too recent, us3 too close to the beginning; a snapshot of the same minute proves nothing at all.
    try catalog.ingest(SnapshotText(generated: 0.01, events: [other]))
    #expect(try catalog.ids() == ["us1", "us2", "us3", "us4"])
    try catalog.ingest(SnapshotText(generated: 0.02, events: [other]))
    #expect(try catalog.ids() == ["us1", "us3", "us4"])
  }

  @Test func `an unchanged newer body retracts events of an older body`() throws {
    let catalog = try Catalog()
    let known = SnapshotText.Event(id: "us1", hours: -1)
    try catalog.ingest(SnapshotText(generated: 0, events: [known]))
    #expect(try !catalog.ingest(SnapshotText(generated: 50, events: [known])).hasChanges)
    // us2 was listed in between, and is not in the newer body.
    try catalog.ingest(SnapshotText(generated: 20, events: [known, .init(id: "us2", hours: -2)]))
    #expect(try catalog.ids(.retracted) == ["us2"])
    // A minute later, an unchanged body is not committed.
    let commits = try catalog.commits
    try catalog.ingest(SnapshotText(generated: 50.02, events: [known]))
    #expect(try catalog.commits == commits)
  }

  @Test func `two IDs of one source are separate events`() throws {
    let catalog = try Catalog()
    try catalog.ingest(SnapshotText(generated: 0, events: [.init(id: "ci1", hours: -1)]))
    let report = try catalog.ingest(
      SnapshotText(generated: 1, events: [.init(id: "ci2", ids: ["ci1", "ci2"], hours: -1)]))
    #expect(report.renamed == 0 && report.retracted == 1)
    #expect(try catalog.ids() == ["ci2"])
    #expect(try catalog.ids(.retracted) == ["ci1"])
  }

  @Test func `two live events can share an alias`() throws {
    let snapshot = SnapshotText(
      generated: 0,
      events: [
        .init(id: "us1", ids: ["at9", "us1"], hours: -1), .init(id: "ak2", ids: ["ak2", "at9"], hours: -2),
      ])
    let catalog = try Catalog()
    try catalog.ingest(snapshot, snapshot)
    var later = snapshot
    later.generated = 1
    try catalog.ingest(later)
    #expect(try catalog.ids() == ["ak2", "us1"])
    #expect(try catalog.find("at9") == "ak2")
  }

  /// As seen on 2.5_day: one body has two sources' events, and in a later body one is part of the other.
  @Test(arguments: ["ABC", "CAB", "CBA", "BCA"])
  func `an event that becomes part of another is merged in any order`(order: String) throws {
    let snapshots: [Character: SnapshotText] = [
      "A": SnapshotText(feed: "2.5_day", generated: 0, events: [.init(id: "at1", hours: -1, magnitude: 3)]),
      "B": SnapshotText(
        feed: "2.5_day", generated: 1,
        events: [
          .init(id: "at1", hours: -1, magnitude: 3), .init(id: "us2", ids: ["us2", "at1"], hours: -1, magnitude: 3),
        ]),
      "C": SnapshotText(
        feed: "2.5_day", generated: 2, events: [.init(id: "us2", ids: ["us2", "at1"], hours: -1, magnitude: 3)]),
    ]
    let catalog = try Catalog()
    for letter in order { try catalog.ingest(try #require(snapshots[letter])) }
    #expect(try catalog.ids() == ["us2"])
    #expect(try catalog.find("at1") == "us2")
  }

  /// As seen on 2.5_day: the new event's list of IDs lacks the former ID, but the former event's list has the new ID.
  @Test(arguments: [true, false])
  func `an event is renamed if only its former list has the new ID`(inOrder: Bool) throws {
    let former = SnapshotText(
      feed: "2.5_day", generated: 0, events: [.init(id: "pr1", ids: ["us2", "pr1"], hours: -1)])
    let later = SnapshotText(feed: "2.5_day", generated: 1, events: [.init(id: "us2", hours: -1)])
    let catalog = try Catalog()
    if inOrder { try catalog.ingest(former, later) } else { try catalog.ingest(later, former) }
    #expect(try catalog.ids() == ["us2"])
    #expect(try catalog.find("pr1") == "us2")
  }

  @Test func `snapshots of different feeds are ordered by their time`() throws {
    // all_hour of 10:00 is newer than all_week of 9:36, which is imported later.
    let hour = SnapshotText(feed: "all_hour", generated: 10, events: [.init(id: "us1", hours: 9.5, place: "new")])
    let week = SnapshotText(generated: 9.6, events: [.init(id: "us1", hours: 9.5, place: "old")])
    let catalog = try Catalog()
    try catalog.ingest(hour, week)
    #expect(try catalog.places("us1") == ["9 old", "10 new"])
    // Reported again at 11:00, so the report in between is history.
    try catalog.ingest(
      SnapshotText(generated: 11, events: [.init(id: "us1", hours: 9.5, place: "new"), .init(id: "us2", hours: 1)]))
    try catalog.ingest(SnapshotText(generated: 10.5, events: [.init(id: "us1", hours: 9.5, place: "other")]))
    #expect(try catalog.places("us1") == ["9 old", "10 new", "10 other", "11 new"])
  }

  @Test func `a deleted status retracts an event`() throws {
    let catalog = try Catalog()
    try catalog.ingest(monday)
    try catalog.ingest(
      SnapshotText(
        feed: "query", generated: 3, events: [.init(id: "us1", hours: -1, updated: 3, status: "deleted")]))
    #expect(try catalog.ids(.retracted) == ["us1"])
    try catalog.ingest(monday)
    #expect(try catalog.ids(.retracted) == ["us1"])
  }
}
