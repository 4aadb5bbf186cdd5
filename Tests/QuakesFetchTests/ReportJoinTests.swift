import CoreData
import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

@Suite("Joining reports of several agencies") struct ReportJoinTests {
  private let american = SnapshotText(
    generated: 0,
    events: [
      .init(id: "us1", hours: -1, place: "first"), .init(id: "us2", hours: -2, place: "second"),
      .init(id: "us3", hours: -2.001, place: "third"),
    ])

  /// A report of the EMSC, some seconds and degrees north of an event of ours.
  private func european(_ number: Int, hours: Double, seconds: Double = 0, degrees: Double = 0) -> String {
    let time = SnapshotText.date(hours).addingTimeInterval(seconds)
    return """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[20,\(10 + degrees),-10]},"id":"2021_\(number)",
      "properties":{"unid":"2021_\(number)","lastupdate":"2021-07-22T00:00:00.0Z","time":"\(ISO8601.text(time))",
      "lat":\(10 + degrees),"lon":20,"depth":10,"evtype":"ke","auth":"X","mag":2.1,"magtype":"ml",
      "flynn_region":"SOMEWHERE","source_id":"1","source_catalog":"EMSC-RTS"}}
      """
  }

  private func europeans(_ reports: [String]) -> String {
    #"{"type":"FeatureCollection","metadata":{"count":\#(reports.count)},"features":[\#(reports.joined(separator: ","))]}"#
  }

  @Test(arguments: [true, false]) func `the nearest reports are joined in either order`(americanFirst: Bool) throws {
    let catalog = try Catalog()
    // The first is 5 s and 22 km away; the second is nearer to us2 than to us3; the third is too far from us1.
    let text = europeans([
      european(1, hours: -1, seconds: 5, degrees: 0.2), european(2, hours: -2, seconds: 1),
      european(3, hours: -1, seconds: 15, degrees: 1),
    ])
    if americanFirst {
      try catalog.ingest(american)
      try catalog.ingest(text)
    } else {
      try catalog.ingest(text)
      try catalog.ingest(american)
    }
    #expect(try catalog.ids() == ["emsc2021_3", "us1", "us2", "us3"])
    #expect(try catalog.ids(.joined) == ["emsc2021_1", "emsc2021_2"])
    try catalog.read { context in
      let first = try #require(try Quake.find("emsc2021_1", in: context))
      #expect(first.main?.identifier == "us1")
      #expect(first.standingReason == "5.0 s and 22 km from us1")
      let second = try #require(try Quake.find("emsc2021_2", in: context))
      #expect(second.main?.identifier == "us2")
    }
    #expect(try !catalog.ingest(text).hasChanges)
    #expect(try !catalog.ingest(american).hasChanges)
  }

  @Test func `a CMT of an earthquake is joined to its report of another agency`() throws {
    let catalog = try Catalog()
    try catalog.ingest(american)
    let time = ISO8601.text(SnapshotText.date(-1)).prefix(19).replacing("-", with: "/").replacing("T", with: " ")
    try catalog.ingest(
      BulletinSamples.ndkEvent(first: "PDE  \(time).0  10.00   20.00  10.0 5.1 0.0 SOMEWHERE"))
    #expect(try catalog.ids(.joined) == ["gcmtC202107211234A"])
    try catalog.read { context in
      let moment = try #require(try Quake.find("gcmtC202107211234A", in: context))
      #expect(moment.main?.identifier == "us1")
    }
  }

  @Test(arguments: [true, false])
  func `a report of the JMA is joined to one late in its minute`(isFirst: Bool) throws {
    let catalog = try Catalog()
    // 12:34:45 UTC.
    let event = SnapshotText.Event(id: "us1", hours: -11 - 26.0 / 60 + 45.0 / 3600)
    let report = ServiceListSamples.jmaReport("1", at: "21:34:00", reported: "21:50:00", position: "+10.0+20.0-10000/")
    if isFirst { try catalog.ingest(ServiceListSamples.jma([report])) }
    try catalog.ingest(SnapshotText(generated: 0, events: [event]))
    if !isFirst { try catalog.ingest(ServiceListSamples.jma([report])) }
    #expect(try catalog.ids(.joined) == ["jma1"] && catalog.ids() == ["us1"])
  }

  @Test(arguments: [(55.0, true), (-10, true), (75, true), (80, false), (-20, false)])
  func `times of whole minutes are joined within the minute`(seconds: Double, isJoined: Bool) {
    func origin(_ service: String, _ time: Double) -> ReportOrigin {
      ReportOrigin(
        identifier: service, service: service, time: Date(timeIntervalSince1970: time), latitude: 0, longitude: 0,
        timeSpan: ReportOrigin.timeSpan(of: service))
    }
    for separation in [
      JoinLimits().separation(origin("jma", 60), origin("usgs", 60 + seconds)),
      JoinLimits().separation(origin("usgs", 60 + seconds), origin("jma", 60)),
    ] {
      #expect((separation != nil) == isJoined)
    }
  }

  @Test func `reports are separated when they move apart or the main one is withdrawn`() throws {
    let catalog = try Catalog()
    try catalog.ingest(american)
    try catalog.ingest(europeans([european(1, hours: -1, seconds: 5), european(2, hours: -2, seconds: -1)]))
    #expect(try catalog.ids(.joined) == ["emsc2021_1", "emsc2021_2"])
    var later = american
    later.generated = 1
    later.events[0].hours = -1.1
    later.events.remove(at: 1)
    let report = try catalog.ingest(later)
    // us1 is six minutes earlier now; us2 is gone, and its report joins us3, 3.6 s earlier.
    #expect(report.separated == 1 && report.joined == 1 && report.retracted == 1)
    #expect(try catalog.ids() == ["emsc2021_1", "us1", "us3"])
    let main = try catalog.read { try Quake.find("emsc2021_2", in: $0)?.main?.identifier }
    #expect(main == "us3")
  }

  @Test(arguments: [1, 2, 5, 7, 11]) func `joining in parts gives the same result as joining all`(size: Int) throws {
    let catalog = try Catalog()
    let hours = (0..<12).map { -Double($0) - 1 }
    // The last three are at the same time, so that they cannot be read in parts of two.
    let events = hours.enumerated().map { SnapshotText.Event(id: "us\($0)", hours: $1) }
    let twins = (0..<2).map { SnapshotText.Event(id: "us9\($0)", hours: -12, latitude: 40) }
    try catalog.ingest(SnapshotText(generated: 0, events: events + twins))
    try catalog.ingest(europeans(hours.enumerated().map { european($0, hours: $1, seconds: 3) }))
    let whole = try catalog.ids(.joined)
    let settle = { (limits: JoinLimits) in
      try catalog.read { context in
        var settlement = ReportSettlement(context: context, limits: limits, now: SnapshotText.date(1))
        settlement.maximumReports = size
        try settlement.settle(SnapshotText.date(-20)...SnapshotText.date(0))
        if context.hasChanges { try context.save() }
        return (settlement.joined, settlement.separated)
      }
    }
    #expect(try settle(JoinLimits(seconds: 0)) == (0, whole.count))
    #expect(try catalog.ids(.joined).isEmpty)
    let joined = try settle(JoinLimits())
    #expect(joined.1 == 0)
    // If a minute has more reports than fit in memory, some may remain separate.
    #expect(try size < 5 ? joined.0 <= whole.count : catalog.ids(.joined) == whole, "\(joined)")
  }

  @Test func `many reports at one place are joined`() throws {
    let catalog = try Catalog()
    try catalog.ingest(
      SnapshotText(generated: 0, events: (0..<300).map { SnapshotText.Event(id: "us\($0)", hours: -1) }))
    let report = try catalog.ingest(europeans((0..<300).map { european($0, hours: -1) }))
    #expect(report.new == 300 && report.joined > 0)
  }

  @Test func `changed limits join and separate reports`() throws {
    let catalog = try Catalog()
    try catalog.ingest(american)
    try catalog.ingest(europeans([european(1, hours: -1, seconds: 15, degrees: 1)]))
    #expect(try catalog.ids(.joined).isEmpty)
    for (limits, joined) in [
      (JoinLimits(seconds: 16, kilometers: 120), ["emsc2021_1"]), (JoinLimits(seconds: 0), []),
      (JoinLimits(seconds: 20, kilometers: 200), ["emsc2021_1"]), (JoinLimits(), []),
    ] {
      let context = catalog.container.newBackgroundContext()
      try context.performAndWait {
        var settlement = ReportSettlement(context: context, limits: limits, now: SnapshotText.date(200))
        try settlement.settleAll()
        #expect(settlement.joined + settlement.separated == 1)
      }
      #expect(try catalog.ids(.joined) == joined)
    }
  }

  @Test(arguments: [
    (0.0, 179.9, 0.0, -179.9, 22.2), (89.9, 0, 89.9, 180, 22.2), (0, 0, 0, 0, 0), (10, 20, 10.9, 20, 100.1),
    (0, 0, 0, 180, 20_015),
  ]) func `distances are great-circle distances`(
    north: Double, east: Double, otherNorth: Double, otherEast: Double, kilometers: Double
  ) {
    let distance = GreatCircle.kilometers(from: (north, east), to: (otherNorth, otherEast))
    #expect(abs(distance - kilometers) < max(0.1, kilometers / 1000))
  }
}
