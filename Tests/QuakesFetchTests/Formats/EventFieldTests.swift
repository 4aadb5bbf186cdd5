import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

@Suite("Invalid fields of an event") struct EventFieldTests {
  typealias Case = (member: String, value: String, field: QuakeField, reason: FeedProblem.Reason)

  static let refused: [Case] = [
    ("mag", "true", .magnitude, .wrongType("mag")),
    ("mag", #""4.5 ML""#, .magnitude, .wrongType("mag")),
    ("mag", #""nan""#, .magnitude, .wrongType("mag")),
    ("mag", #""""#, .magnitude, .wrongType("mag")),
    ("mag", "11.1", .magnitude, .outOfRange("mag", value: "11.1", bounds: "-5 to 11")),
    ("mag", "-999", .magnitude, .outOfRange("mag", value: "-999", bounds: "-5 to 11")),
    ("place", "[1,{}]", .place, .wrongType("place")),
    ("place", "{\"a\":1}", .place, .wrongType("place")),
    ("title", "7", .title, .wrongType("title")),
    ("sig", "2.5", .significance, .wrongType("sig")),
    ("sig", "3e9", .significance, .outOfRange("sig", value: "3000000000", bounds: "-2147483648 to 2147483647")),
    ("felt", "1e300", .felt, .outOfRange("felt", value: "1e+300", bounds: "-2147483648 to 2147483647")),
    ("tsunami", "false", .tsunami, .wrongType("tsunami")),
    ("updated", #""soon""#, .updated, .wrongType("updated")),
    ("type", "[]", .type, .wrongType("type")),
    ("ids", "[\"us1\"]", .ids, .wrongType("ids")),
    ("cdi", #""6e999""#, .cdi, .wrongType("cdi")),
    ("place", "\"\(String(repeating: "é", count: 2049))\"", .place, .tooLong("place")),
    (
      "ids", "\",\((0..<101).map { "us\($0)" }.joined(separator: ",")),\"", .ids,
      .outOfRange("ids", value: "with 101 members", bounds: "0 to 100")
    ),
  ]

  @Test(arguments: refused)
  func `an invalid field is dropped and its event kept`(_ test: Case) throws {
    let body = feedBody([feature(properties: [test.member: test.value]), feature(id: #""us2""#)])
    let result = try parse(body)
    #expect(result.events.map(\.identifier) == ["us1", "us2"])
    #expect(result.events.first?.presentFields == result.events.last?.presentFields.subtracting([test.field]))
    let problem = try #require(result.problems.first)
    #expect(result.problems.count == 1)
    #expect(problem.reason == test.reason)
    #expect(problem.feature == 0 && problem.events == 1 && !problem.isBadFeature)
  }

  @Test func `an invalid magnitude or depth is unknown`() throws {
    let event = try #require(
      parse(feedBody([feature(properties: ["mag": "12"], coordinates: "[1,2,6371]")])).events.first)
    #expect(event.magnitude == nil && event.depth == nil)
    #expect(event.presentFields.isDisjoint(with: [.magnitude, .depth]))
  }

  @Test func `problems of one kind are reported once, with their number`() throws {
    let features = (0..<9).map { number in
      feature(
        id: "\"us\(number)\"",
        properties: number < 3 ? [:] : ["mag": number == 5 ? "99" : number == 8 ? "98" : "[]", "sig": "true"])
    }
    let text = feedBody(features)
    let result = try parse(text)
    #expect(result.events.count == 9)
    let byte = try #require(text.range(of: "\"mag\":[]")).lowerBound.utf16Offset(in: text) + 6
    #expect(
      result.problems.first.map { "\($0)" }
        == "mag has the wrong type in 4 events, first at feature 3 (us3) at byte \(byte)")
    #expect(result.problems.map(\.events) == [4, 6, 2])
    #expect(result.problems.last?.description.hasPrefix("mag 99 is outside of -5 to 11 in 2 events, first at") == true)
  }

  @Test func `a repeated invalid field is reported once`() throws {
    let many = String(repeating: "\"mag\":[],", count: 1000)
    let text = feedBody([feature()]).replacing("\"properties\":{", with: "\"properties\":{\(many)", maxReplacements: 1)
    #expect(try parse(text).problems.map(\.events) == [1])
  }

  @Test func `an event with an overlong ID is dropped`() throws {
    let good = "us" + String(repeating: "1", count: 254)
    let result = try parse(feedBody([feature(id: "\"\(good)\""), feature(id: "\"\(good)1\"")]))
    #expect(result.events.map(\.identifier) == [good])
    // The log does not repeat the ID.
    #expect(result.problems.map(\.reason) == [.tooLong("id")] && result.problems.first?.identifier == nil)
  }

  @Test func `a number may be a string`() throws {
    let event = try #require(
      parse(
        feedBody([
          feature(
            properties: ["mag": #""4.5""#, "nst": #""12""#, "time": #""2014-04-15T11:49:27.000Z""#, "sig": #""-3.0""#],
            coordinates: #"["1.5","2","-0.5"]"#)
        ])
      ).events.first)
    #expect(event.magnitude == 4.5 && event.state.integer(.nst) == 12 && event.state.integer(.significance) == -3)
    #expect(event.time == Date(timeIntervalSince1970: 1_397_562_567))
    #expect(event.longitude == 1.5 && event.latitude == 2 && event.depth == -0.5)
  }

  @Test func `a missing ID is made from network and code`() throws {
    for id in ["null", "7", "{}", #""""#] {
      let result = try parse(feedBody([feature(id: id, properties: ["net": #""ci""#, "code": #""37""#])]))
      #expect(result.events.map(\.identifier) == ["ci37"], "\(id)")
    }
  }

  static let longitudes: [(String, Double)] = [
    ("190", -170), ("-190", 170), ("180", 180), ("-180", -180), ("360", 0), ("-360", 0), ("-179.9", -179.9),
  ]

  @Test(arguments: longitudes)
  func `longitudes are normalized to 180 degrees`(written: String, longitude: Double) throws {
    let event = try #require(parse(feedBody([feature(coordinates: "[\(written),0]")])).events.first)
    #expect(event.longitude == longitude)
  }

  @Test func `fields missing from the document are not marked as given`() throws {
    let text = #"{"features":[{"id":"a1","geometry":{"coordinates":[1,2]},"properties":{"time":0,"mag":null}}]}"#
    let event = try #require(parse(text).events.first)
    #expect(event.presentFields == [.magnitude])
  }
}
