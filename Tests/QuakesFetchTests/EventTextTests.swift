import Foundation
import Testing

@testable import StrataQuakes
@testable import strata_quakes_fetch

@Suite("The text of event services is a feed") struct EventTextTests {
  private func events(_ text: String) throws -> (events: [ParsedEvent], problems: [FeedProblem]) {
    let body = try BodyFile(of: "text", maximumSize: 1 << 20)
    try Data(text.utf8).withUnsafeBytes { try body.append($0) }
    let feed = try EventText.feed(from: body)
    let result = try parse(String(decoding: feed.body().read(upTo: feed.count), as: UTF8.self))
    return (result.events, result.problems)
  }

  @Test func columnsAreFoundByName() throws {
    let result = try events(
      """
      #EventID | Time | Latitude | Longitude | Depth/km | MagType | Magnitude | EventLocationName
      1|2017-10-31T00:42:12.4Z|-21.71|169.11|25.0|mw|6.8|NEAR "X"\\Y
      2|2017-10-31T00:42:12|1|2||||
      """)
    #expect(result.problems.isEmpty && result.events.count == 2)
    let first = result.events[0]
    #expect(first.identifier == "1" && first.magnitude == 6.8 && first.magnitudeType == "mw" && first.depth == 25)
    #expect(first.latitude == -21.71 && first.longitude == 169.11 && first.place == #"NEAR "X"\Y"#)
    #expect(ISO8601.text(first.time) == "2017-10-31T00:42:12.400Z")
    let second = result.events[1]
    #expect(second.magnitude == nil && second.depth == nil && second.place == nil)
    #expect(second.time == ISO8601.date("2017-10-31T00:42:12Z"))
    let swapped = try events("#Magnitude|EventID|Longitude|Latitude|Time\n5|a|2|1|1969-12-31T23:59:59Z\r\n")
    #expect(swapped.events.first?.magnitude == 5 && swapped.events.first?.latitude == 1)
  }

  @Test func aBadLineCostsOnlyItself() throws {
    let result = try events(
      """
      #EventID|Time|Latitude|Longitude|Magnitude
      1|yesterday|1|2|3
      2|2017-10-31T00:42:12|x|2|3
      |2017-10-31T00:42:12|1|2|3
      4
      5|2017-10-31T00:42:12|1|2|1e999
      """)
    #expect(result.events.map(\.identifier) == ["5"] && result.events[0].magnitude == nil)
    #expect(result.problems.count == 4)
  }

  @Test(arguments: ["", "<html>", "1|2"]) func whatHasNoColumnsIsRefused(text: String) {
    #expect(throws: Failure.self) { try events(text) }
  }
}

@Suite("How far a back-fill is") struct BackfillProgressTests {
  private func plan(_ received: Int, of total: Int?) -> BackfillPlan {
    var plan = BackfillPlan(since: .distantPast, until: .distantFuture)
    (plan.received, plan.total) = (received, total)
    return plan
  }

  @Test(arguments: [
    (25, 100, 44, "[####...............] 25 of 100 events, 9/s"),
    // Parts share events, so there may be more than were counted.
    (300, 100, 44, "[##################] 300 of 100 events, 9/s"),
    (25, 0, 44, "25 of 0 events, 9/s"), (25, nil, 44, "25 events, 9/s"), (25, 100, 10, "25 of 100"),
  ])
  func theBarFitsTheLine(received: Int, total: Int?, columns: Int, text: String) {
    #expect(BackfillProgress.bar(plan(received, of: total), rate: "9/s", columns: columns) == text)
  }
}
