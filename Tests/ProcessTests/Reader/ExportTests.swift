import Foundation
import FoundationXML
import StrataTestSupport
import Testing

/// The output of `quakes export`, which `quakes-fetch` reads back as the same events.
@Suite(.waitsForProcesses, .serialized) struct ExportTests {
  private let (first, second): (Home, Home)

  init() throws {
    (first, second) = (try Home(), try Home())
    let feature = { (properties: String, position: String, id: String) in
      #"{"type":"Feature","properties":{\#(properties)},"geometry":{"type":"Point","coordinates":[\#(position)]},"id":"\#(id)"}"#
    }
    let features = [
      feature(
        #""mag":6.25,"place":"12 km N of P\u0101hala & <Kona>, \"Hawaii\"","time":1500000000123,"updated":1500000100001,"#
          + #""url":"https://example.org/us1?a=1&b=2","detail":"https://example.org/us1.geojson","felt":3,"cdi":4.1,"#
          + #""mmi":5.25,"alert":"yellow","status":"reviewed","tsunami":1,"sig":601,"net":"us","code":"1","#
          + #""ids":",us1,ci9,","sources":",us,ci,","types":",dyfi,origin,","nst":12,"dmin":0.012,"rms":0.25,"gap":40.5,"#
          + #""horizontalError":0.75,"depthError":1.9,"magError":0.12,"magNst":31,"locationSource":"us","magSource":"CI","#
          + #""magType":"mww","type":"earthquake","title":"M 6.3 - 12 km N of P\u0101hala & <Kona>, \"Hawaii\"","#
          + #""maxpga":0.223,"maxpgv":14.2"#,
        "-155.5167,19.2,7.3719", "us1"),
      feature(
        #""mag":null,"place":null,"time":-1000,"updated":1500003600000,"status":"automatic","net":"us","code":"2","#
          + #""ids":",us2,","type":"ice quake""#, "-179.5,-18,null", "us2"),
      feature(
        #""mag":-0.4,"place":"Utah,\u0301 <\u0301b> \"\u0301x&\u0301","time":1500007200123,"updated":1500007200999,"net":"uu","code":"3","ids":",uu3,","#
          + #""type":"quarry blast","status":"automatic""#, "-112.1,40.5,-1.2", "uu3"),
    ]
    try fetch(
      #"{"type":"FeatureCollection","metadata":{"generated":1500010000000,"count":3},"features":["#
        + features.joined(separator: ",") + "]}", into: first)
  }

  private func fetch(_ text: String, into home: Home) throws {
    let worker = try Program("quakes-fetch", ["--once", home.write("body", text)], home: home.url)
    #expect(worker.status() == 0, "\(worker.errorText)")
    #expect(worker.lines.contains { $0.contains("3 new") && $0.contains("0 bad") }, "\(worker.lines)")
    #expect(worker.errorText.isEmpty, "\(worker.errorText)")
  }

  private func read(_ arguments: [String], from home: Home) throws -> [String] {
    let program = try Program("quakes", arguments, home: home.url)
    #expect(program.status() == 0, "\(program.errorText)")
    #expect(program.errorText.isEmpty, "\(program.errorText)")
    return program.lines
  }

  /// - Returns: The lines without those that contain the time of the export.
  private func copy(_ format: String) throws -> (written: [String], again: [String]) {
    let text = try read(["export", "--format", format], from: first)
    try fetch(text.joined(separator: "\n") + "\n", into: second)
    let again = try read(["export", "--format", format], from: second)
    func isTimeless(_ line: String) -> Bool { !line.contains("\"generated\"") && !line.hasPrefix("  <creationInfo>") }
    return (text.filter(isTimeless), again.filter(isTimeless))
  }

  @Test func `GeoJSON is read back with all fields`() throws {
    let (written, again) = try copy("geojson")
    #expect(written == again)
    func listed(_ home: Home) throws -> String {
      try read(["list", "--json"], from: home).joined()
        .replacing(#/"first_seen":"[^"]+"/#, with: "")
    }
    #expect(try listed(first) == listed(second))
    #expect(try read(["show", "ci9", "--json"], from: second).joined().contains(#""id":"us1""#))
    let text = try read(["export"], from: first).joined(separator: "\n")
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect((document?["features"] as? [Any])?.count == 3)
    #expect(document?["bbox"] as? [Double] == [-179.5, -18, -1.2, -112.1, 40.5, 7.3719])
  }

  @Test func `CSV is read back with its columns`() throws {
    let (written, again) = try copy("csv")
    #expect(written == again)
    #expect(written.count == 4)
    try expectSame([
      "id", "magnitude", "magnitude_type", "place", "time", "updated", "longitude", "latitude", "depth_km", "stations",
      "horizontal_error", "depth_error", "magnitude_error", "magnitude_stations", "location_source",
      "magnitude_source", "felt", "cdi", "mmi", "alert", "tsunami", "sig", "products", "peak_acceleration",
      "peak_velocity",
    ])
  }

  @Test func `QuakeML is read back with its elements`() throws {
    // Its depths are in meters: 7.3719 × 1000 is not quite 7371.9.
    let (written, again) = try copy("quakeml")
    #expect(written == again)
    try expectSame([
      "id", "magnitude", "magnitude_type", "place", "time", "updated", "longitude", "latitude", "depth_km", "type",
      "status", "network", "title", "stations", "nearest_station", "gap", "residual", "horizontal_error",
      "depth_error", "magnitude_error", "magnitude_stations", "location_source", "magnitude_source", "felt", "cdi",
    ])
  }

  private func expectSame(_ fields: [String]) throws {
    let arguments = ["list", "--fields", fields.joined(separator: ",")]
    #expect(try read(arguments, from: first) == read(arguments, from: second))
  }

  @Test func `QuakeML has felt reports`() throws {
    let lines = try read(["export", "--format", "quakeml"], from: first).map { $0.trimmingCharacters(in: .whitespaces) }
    let type = try #require(lines.firstIndex(of: "<type>felt report</type>"))
    #expect(lines[type + 1] == "<text>3 reports, intensity up to 4.1 MMI</text>")
    #expect(lines.filter { $0 == "<type>felt report</type>" }.count == 1)
  }

  @Test func `CSV has the columns of the USGS and its effects after them`() throws {
    let row = try read(["export", "--format", "csv", "--max-magnitude", "7", "--min-magnitude", "5"], from: first)
    #expect(
      row.last == "2017-07-14T02:40:00.123Z,19.2,-155.5167,7.3719,6.25,mww,12,40.5,0.012,0.25,us,us1,"
        + #"2017-07-14T02:41:40.001Z,"12 km N of Pāhala & <Kona>, ""Hawaii""",earthquake,0.75,1.9,0.12,31,reviewed,us,ci,"#
        + #"3,4.1,5.25,yellow,1,601,",dyfi,origin,",0.223,14.2"#)
    // Whole seconds have milliseconds too.
    let all = try read(["export", "--format", "csv"], from: first).joined(separator: "\n")
    // A quotation mark with a combining scalar is still doubled.
    #expect(all.utf8.contains(",\"Utah,\u{301} <\u{301}b> \"\"\u{301}x&\u{301}\",".utf8), "\(all)")
    // Spaces alone do not need quotation marks.
    #expect(all.contains(",ice quake,"), "\(all)")
    #expect(all.contains("\n1969-12-31T23:59:59.000Z,-18,-179.5,,,,,,,,us,us2,2017-07-14T03:40:00.000Z,"), "\(all)")
  }

  @Test func `NDJSON and KML contain the matching events`() throws {
    for line in try read(["export", "--format", "ndjson"], from: first) {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(["us1", "us2", "uu3"].contains(object?["id"] as? String))
    }
    let map = try read(["export", "--format", "kml", "--max-magnitude", "0"], from: first)
    #expect(map.filter { $0.contains("<Placemark>") }.count == 1)
    #expect(map.contains { $0.contains("<coordinates>-112.1,40.5</coordinates>") })
  }

  @Test func `markup is well-formed for any place name`() throws {
    // XML does not allow noncharacters.
    let body =
      #"{"type":"FeatureCollection","metadata":{},"features":[{"type":"Feature","id":"us4","properties":{"mag":1,"#
      + #""place":"x\ufffey\uffffz","time":0},"geometry":{"type":"Point","coordinates":[1,2,3]}}]}"#
    let home = try Home()
    let worker = try Program("quakes-fetch", ["--once", home.write("body", body)], home: home.url)
    #expect(worker.status() == 0, "\(worker.errorText)")
    for format in ["kml", "quakeml"] {
      let text = try read(["export", "--format", format], from: home).joined(separator: "\n")
      #expect(text.contains("xyz"))
      #expect(XMLParser(data: Data(text.utf8)).parse(), "\(format)")
    }
  }

  @Test func `a closed pipe is not a failure of an export`() throws {
    let shell = try Program(
      "sh", ["-c", "{ '\(Program.file("quakes").path)' export; echo $? >&2; } | true"], home: first.url,
      file: URL(fileURLWithPath: "/bin/sh"))
    #expect(shell.status() == 0)
    #expect(shell.errorText == "0\n")
  }
}
