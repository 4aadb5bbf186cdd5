import Foundation
import StrataTestSupport
import Testing

/// Felt reports, ShakeMap and PAGER, as commands show them.
@Suite(.waitsForProcesses, .serialized) struct EffectTests {
  private let home: Home

  init() throws {
    home = try Home()
    let feature = { (properties: String, id: String) in
      #"{"type":"Feature","properties":{\#(properties),"time":1500000000000,"updated":1500000100000,"type":"earthquake"},"#
        + #""geometry":{"type":"Point","coordinates":[21.4,42.0,10]},"id":"\#(id)"}"#
    }
    let pages = "https://earthquake.usgs.gov/earthquakes/eventpage"
    // A document of one event, as the service writes it.
    let detail = feature(
      #""mag":6.5,"place":"Skopje","net":"us","code":"1","felt":1234,"cdi":6.2,"mmi":7.4,"alert":"orange","#
        + #""url":"\#(pages)/us1","types":",dyfi,losspager,moment-tensor,oaf,origin,shakemap,","#
        + #""products":{"shakemap":[{"properties":{"maxpga":"0.223","maxpgv":"14.2","shakemap-code-version":"4.1.5"}}]}"#,
      "us1")
    try fetch(detail)
    try fetch(feature(#""mag":4.5,"place":"Bitola","net":"us","code":"2","felt":3,"url":"\#(pages)/us2""#, "us2"))
  }

  private func fetch(_ text: String) throws {
    let worker = try Program("quakes-fetch", ["--once", home.write("body.geojson", text)], home: home.url)
    #expect(worker.status() == 0 && worker.errorText.isEmpty, "\(worker.errorText)")
  }

  private func run(_ words: String) throws -> [String] {
    let program = try Program("quakes", words.split(separator: " ").map(String.init), home: home.url)
    #expect(program.status() == 0, "\(program.errorText)")
    return program.lines
  }

  @Test func `details have felt reports, shaking and an alert with their pages`() throws {
    let lines = try run("show us1")
    let base = "https://earthquake.usgs.gov/earthquakes/eventpage/us1"
    let first = try #require(lines.firstIndex { $0.hasPrefix("felt") })
    #expect(
      lines.dropFirst(first).prefix(6) == [
        "felt          1,234 reports, up to MMI VI (6.2)",
        "              \(base)/dyfi/intensity",
        "ShakeMap      up to MMI VII (7.4), 0.223 g and 14.2 cm/s",
        "              \(base)/shakemap/intensity",
        "PAGER         orange",
        "              \(base)/pager",
      ], "\(lines)")
    let page = try #require(lines.firstIndex { $0.hasPrefix("page") })
    #expect(
      lines.dropFirst(page).prefix(3) == [
        "page          \(base)", "more pages    \(base)/moment-tensor", "              \(base)/oaf",
      ], "\(lines)")
    let json = try run("show us1 --json").joined()
    #expect(json.contains(#""products":["dyfi","losspager","moment-tensor","oaf","origin","shakemap"]"#), "\(json)")
    #expect(json.contains(#""pages":{"dyfi":"\#(base)/dyfi/intensity","#), "\(json)")
  }

  @Test func `details of an event without products do not have their pages`() throws {
    let lines = try run("show us2")
    #expect(lines.contains("felt          3 reports"), "\(lines)")
    #expect(!lines.joined().contains("dyfi") && !lines.joined().contains("more pages"), "\(lines)")
    #expect(try run("show us2 --json").joined().contains(#""pages":{}"#))
  }

  @Test(arguments: [
    "felt>=100", "mmi>7", "alert>=yellow", "alert=orange", "products=shakemap,peak_acceleration>0.2", "maxpgv>14",
  ])
  func `lists are limited by effects`(_ limits: String) throws {
    let line = try run("list --ndjson id,felt,mmi,products --where \(limits)")
    #expect(
      line == [
        #"{"id":"us1","felt_reports":1234,"computed_intensity":7.4,"#
          + #""products":["dyfi","losspager","moment-tensor","oaf","origin","shakemap"]}"#
      ])
  }
}
