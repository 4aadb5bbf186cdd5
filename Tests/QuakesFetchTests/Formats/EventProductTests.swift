import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

@Suite("Products of a detail document") struct EventProductTests {
  static func products(version: String? = "4.1.5", acceleration: String = "0.223", velocity: String = "14.2") -> String
  {
    let code = version.map { #","shakemap-code-version":"\#($0)""# } ?? ""
    return
      #"{"dyfi":[{"properties":{"maxmmi":"6.2","num-responses":"1234","numResp":"1233"}},{"properties":{"maxmmi":"9"}}],"#
      + #""losspager":[{"properties":{"alertlevel":"orange","maxmmi":"8"},"contents":{"json/losses.json":{"length":9}}}],"#
      + #""moment-tensor":[{"properties":{"maxmmi":"1"}}],"#
      + #""shakemap":[{"properties":{"maxmmi":"7.4","maxpga":"\#(acceleration)","maxpgv":"\#(velocity)"\#(code)}},"#
      + #"{"properties":{"maxmmi":"2","maxpga":"0.5"}}]}"#
  }

  /// An event as the service writes it, without the values that its products have.
  private static func bare(_ products: String) throws -> String {
    let text = feature(properties: ["products": products])
    return ["felt", "cdi", "mmi", "alert"].reduce(text) { $0.replacing("\"\($1)\":null,", with: "") }
  }

  @Test func `the preferred products complete an event`() throws {
    let result = try parse(Self.bare(Self.products()))
    let state = try #require(result.events.first).state
    #expect(result.problems.isEmpty)
    #expect(state.integer(.felt) == 1234 && state.number(.cdi) == 6.2 && state.number(.mmi) == 7.4)
    #expect(state.text(.alert) == "orange")
    #expect(state.number(.peakAcceleration) == 0.223 && state.number(.peakVelocity) == 14.2)
  }

  @Test func `values of the event come before those of its products`() throws {
    let own = ["products": Self.products(), "felt": "1300", "cdi": "6.3", "mmi": "7.5", "alert": #""red""#]
    let state = try #require(parse(feature(properties: own)).events.first).state
    #expect(state.integer(.felt) == 1300 && state.number(.cdi) == 6.3 && state.number(.mmi) == 7.5)
    #expect(state.text(.alert) == "red" && state.number(.peakAcceleration) == 0.223)
  }

  @Test(
    arguments: [
      (nil, false, false), ("3.5.1615", false, false), ("4.0.1", false, false), ("4.0.2+335.gcbad862", true, false),
      ("4.1", true, true), ("v4.1.5", true, true), ("4.4.0+2.g12", true, true), ("unknown", false, false),
    ] as [(String?, Bool, Bool)])
  func `peak motion is read if the version of ShakeMap has its units`(
    _ version: String?, _ hasAcceleration: Bool, _ hasVelocity: Bool
  ) throws {
    let state = try #require(parse(Self.bare(Self.products(version: version))).events.first).state
    #expect((state.number(.peakAcceleration) == 0.223) == hasAcceleration)
    #expect((state.number(.peakVelocity) == 14.2) == hasVelocity)
    #expect(state.number(.mmi) == 7.4)
  }

  @Test func `an impossible peak is refused alone`() throws {
    let result = try parse(Self.bare(Self.products(acceleration: "-2.1", velocity: "NaN")))
    let state = try #require(result.events.first).state
    #expect(state.number(.peakAcceleration) == nil && state.number(.peakVelocity) == nil)
    #expect(state.number(.mmi) == 7.4)
    #expect(result.problems.map(\.isBadFeature) == [false, false])
  }

  @Test(arguments: [
    "null", "[]", #"{"shakemap":{},"dyfi":[]}"#, #"{"shakemap":[1,{}],"losspager":[{"properties":[]}]}"#,
  ])
  func `products of another form change nothing`(_ products: String) throws {
    let result = try parse(feature(properties: ["products": products]))
    #expect(result.problems.isEmpty && result.isWhole)
    let plain = try parse(feature())
    #expect(result.events == plain.events)
  }

  @Test func `a detail document completes an event of a feed with the same update`() throws {
    let catalog = try Catalog()
    try catalog.ingest(feedBody([feature()]))
    try catalog.ingest(feature(properties: ["products": Self.products(), "types": #"",dyfi,shakemap,""#]))
    let peaks = try catalog.read { context in
      let quake = try Quake.find("us1", in: context)
      return [quake?.peakAcceleration?.doubleValue, quake?.peakVelocity?.doubleValue]
    }
    #expect(peaks == [0.223, 14.2])
    // A feed does not have the peaks, and keeps them.
    try catalog.ingest(feedBody([feature(properties: ["updated": "1397563999000", "felt": "7"])]))
    let values = try catalog.read { context in
      let quake = try Quake.find("us1", in: context)
      return [quake?.peakAcceleration?.doubleValue, quake?.felt?.doubleValue]
    }
    #expect(values == [0.223, 7])
  }

  @Test func `a felt report of QuakeML is not the place`() throws {
    let description = { (type: String, text: String) in
      "<description><type>\(type)</type><text>\(text)</text></description>"
    }
    for (descriptions, place) in [
      (description("felt report", "many people were woken, 2 of them"), nil),
      (description("felt report", "3 reports") + description("nearest cities", "near X"), "near X"),
      (description("felt report", "3 reports") + description("region name", "Y"), "Y"),
    ] as [(String, String?)] {
      let text = """
        <q:quakeml xmlns="http://quakeml.org/xmlns/bed/1.2" xmlns:q="http://quakeml.org/xmlns/quakeml/1.2">
        <eventParameters publicID="smi:a/b"><event publicID="smi:ingv.it/event?eventId=1">\(descriptions)
        <origin publicID="smi:o"><time><value>2016-05-01T00:00:00Z</value></time><latitude><value>1</value></latitude>
        <longitude><value>2</value></longitude></origin></event></eventParameters></q:quakeml>
        """
      #expect(try parse(text).events.map(\.place) == [place])
    }
  }
}
