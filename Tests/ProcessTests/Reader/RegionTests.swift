import CoreData
import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// Regions, from the tables to the command line.
@Suite(.waitsForProcesses) struct RegionTests {
  private static let city = "785842\tSkopje\tNorth Macedonia\tKarpoš\t41.99646\t21.43141\t474889\n"

  /// A made-up world of three regions: ten degrees north-east of 0° 0°, its neighbor in the west, and the rest.
  private static let tables: [String: String] = {
    func quarter(_ near: String, _ line: String) -> String {
      (0...90).map { $0 < 10 ? near : $0 == 20 ? line : "   0   3" }.joined(separator: "\n") + "\n"
    }
    func counts(_ near: Int, _ line: Int) -> [Int] { (0...90).map { $0 < 10 ? near : $0 == 20 ? line : 1 } }
    let all = counts(2, 2) + counts(2, 1) + counts(1, 1) + counts(1, 1)
    return [
      "names.asc": "NEAR COAST OF TESTLAND\nOFF W. TESTLAND-BORDURIA, P.N.G. REG.\nREST OF THE WORLD\n",
      "quadsidx.asc": all.map(String.init).joined(separator: " ") + "\n",
      "nesect.asc": quarter("   0   1  10   3", "   0   3 180   2"),
      "nwsect.asc": quarter("   0   2   5   3", "   0   3"),
      "sesect.asc": quarter("   0   3", "   0   3"), "swsect.asc": quarter("   0   3", "   0   3"),
    ]
  }()

  private static func writeTables(_ home: Home, _ tables: [String: String] = tables) throws -> String {
    let folder = home.url.appendingPathComponent("tables")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in tables { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    return folder.path
  }

  private static let positions = [
    ("us1", 5.0, 5.0), ("us2", 5.0, -0.5), ("us3", -45.0, 100.0), ("us4", 20.5, 180.0), ("us5", 20.5, -180.0),
    ("us6", 10.0, 5.0), ("us7", 9.999, 9.999), ("us8", 0.0, -5.0),
  ]

  /// The first event does not have a place name.
  private static var feed: String {
    let now = Int(Date().timeIntervalSince1970) * 1000
    let features = positions.enumerated().map { index, quake in
      """
      {"type":"Feature","properties":{"mag":4.\(index),"place":\(index == 0 ? "null" : "\"somewhere\""),"time":\(now - index),
      "updated":\(now),"status":"reviewed","type":"earthquake","net":"us","code":"\(index + 1)"},
      "geometry":{"type":"Point","coordinates":[\(quake.2),\(quake.1),10]},"id":"\(quake.0)"}
      """
    }
    return """
      {"type":"FeatureCollection","metadata":{"generated":\(now),"count":\(features.count)},
      "features":[\(features.joined(separator: ","))]}
      """
  }

  private static func run(
    _ home: Home, _ name: String, _ arguments: [String], reference: String, input: String? = nil
  ) throws -> (status: Int32?, lines: [String], errors: String) {
    let program = try Program(
      name, arguments, home: home.url, input: input.map { Data($0.utf8) }, variables: ["QUAKES_REFERENCE": reference])
    let status = program.status()
    return (status, program.lines, program.errorText)
  }

  private func run(
    _ home: Home, _ name: String, _ arguments: [String], reference: String, input: String? = nil
  ) throws -> (status: Int32?, lines: [String], errors: String) {
    try Self.run(home, name, arguments, reference: reference, input: input)
  }

  private static let filled = Result { try world(in: TemporaryFolder.make(), hasRegions: true).home }

  /// A copy of a home with earthquakes and a Reference store with regions, which is filled once.
  private func world() throws -> (home: Home, reference: String) {
    let home = try Home(copyOf: Self.filled.get())
    return (home, home.url.appendingPathComponent("Reference.sqlite").path)
  }

  private static func world(
    in parent: URL = FileManager.default.temporaryDirectory, hasRegions: Bool
  ) throws -> (home: Home, reference: String) {
    let home = try Home(in: parent)
    let reference = home.url.appendingPathComponent("Reference.sqlite").path
    let options = hasRegions ? ["--regions", try writeTables(home)] : []
    let built = try run(home, "quakes-reference", [reference] + options, reference: "", input: Self.city)
    #expect(
      built.status == 0 && built.lines.joined().contains(hasRegions ? "and 3 regions" : "and 0 regions"), "\(built)")
    let fetched = try run(home, "quakes-fetch", ["--once", try home.write("feed.geojson", feed)], reference: reference)
    #expect(fetched.status == 0, "\(fetched)")
    return (home, reference)
  }

  @Test func `every command shows the region`() throws {
    let (home, reference) = try world()
    func quakes(_ arguments: String...) throws -> [String] {
      let result = try run(home, "quakes", arguments, reference: reference)
      #expect(result.status == 0, "\(arguments): \(result)")
      return result.lines
    }
    let all = try quakes("list", "--reverse", "--template", "{id} {region}")
    let (near, off, rest) = ("Near Coast of Testland", "Off W. Testland-Borduria, P.N.G. Reg.", "Rest of the World")
    let regions = [near, off, rest, off, off, rest, near, rest]
    #expect(Set(all) == Set(zip(Self.positions, regions).map { "\($0.0) \($1)" }))
    #expect(try quakes("list", "--json", "--region", "1").joined().contains(#""region":"Near Coast of Testland""#))
    #expect(
      try quakes("list", "--fields", "id,region", "--region", "1").joined().contains(#"{"id":"us7","region":"Near"#))
    #expect(try quakes("show", "us3").contains("region        Rest of the World"))
    #expect(try quakes("show", "us3", "--json").joined().contains(#""region":"Rest of the World""#))
    #expect(try quakes("list", "--place", "region").filter { $0.contains(off) }.count == 3)
    // An event without a place name is listed with its region. Machine-readable output contains null.
    #expect(try quakes("list").filter { $0.contains(near) }.count == 1)
    #expect(try quakes("list", "--fields", "place", "--region", "1").joined().contains(#"{"place":null}"#))
    let table = [(near, 2), (off, 3), (rest, 3)].enumerated().map { index, row in
      "  \(index + 1)  " + row.0.padding(toLength: off.count, withPad: " ", startingAt: 0) + "  \(row.1)"
    }
    #expect(try quakes("regions") == table)
    #expect(try quakes("regions", "borduria").count == 1)
    let json = #"{"format_version":1,"regions":[{"number":2,"name":"\#(off)","earthquakes":3}]}"#
    #expect(try quakes("regions", "2", "--json") == [json])
    #expect(try quakes("doctor", "--json").joined().contains("1 cities and 3 regions"))
    #expect(try quakes("--version").last?.contains("Flinn and Engdahl") == true)
  }

  private static let names = [
    ("testland", 5), ("TÉSTLAND", 5), ("near coast", 2), ("3", 3), ("borduria, p", 3), (" world ", 3), ("t", 8),
  ]

  /// Each name of a sample tests a different command.
  @Test(arguments: zip(names, names.indices)) func `a region filter finds all regions with that name`(
    _ name: (text: String, count: Int), _ first: Int
  ) throws {
    let ((home, reference), (text, count)) = (try world(), name)
    let commands = [["list", "--template", "{id}"], ["top", "--template", "{id}"], ["export", "--format", "ndjson"]]
    for command in commands.sampled(every: 3, from: first) {
      let result = try run(home, "quakes", command + ["--region", text], reference: reference)
      #expect(result.status == 0 && result.lines.count == count, "\(command): \(result)")
    }
    guard Thoroughness.isFull || first < 2 else { return }
    let past = ["list", "--as-of", "0m", "--template", "{region}", "--region", text]
    #expect(try run(home, "quakes", past, reference: reference).lines.filter { !$0.isEmpty }.count == count)
    let config = try home.write("config.toml", "[filter.mine]\nregion = \"\(text)\"\n")
    let named = ["list", "--config", config, "--filter", "mine", "--template", "{id}"]
    #expect(try run(home, "quakes", named, reference: reference).lines.count == count)
  }

  @Test func `words after a command are a region and a number`() throws {
    let (home, reference) = try world()
    func lines(_ arguments: String...) throws -> [String] {
      let result = try run(home, "quakes", arguments, reference: reference)
      #expect(result.status == 0, "\(arguments): \(result)")
      return result.lines
    }
    #expect(try lines("list", "testland", "--template", "{id}").count == 5)
    #expect(try lines("top", "2", "near", "coast", "--template", "{id}").count == 2)
    #expect(try lines("top", "near coast", "1", "--template", "{id}").count == 1)
    // Words in the middle of others do not make it that region.
    #expect(try lines("list", "estland", "--template", "{id}").isEmpty)
    #expect(try lines("list", "--region", "estland", "--template", "{id}").count == 5)
    // No region is named so, but a place is.
    #expect(try lines("list", "some", "where", "--template", "{id}").isEmpty)
    #expect(try lines("list", "somewhere", "--template", "{id}").count == 7)
    #expect(try lines("map", "testland").last?.contains("5 earthquakes") == true)
    for arguments in [["top", "2", "3"], ["list", "2", "--limit", "3"], ["map", "testlund"]] {
      let result = try run(home, "quakes", arguments, reference: reference)
      #expect(result.status == 2, "\(arguments): \(result)")
    }
  }

  @Test func `a position may be two words`() throws {
    let (home, reference) = try world()
    for words in [
      ["near", "-45", "100"], ["near", "45S", "100E"], ["list", "--near", "-45", "100"], ["near", "-45,100"],
    ] {
      let arguments = words + ["--within", "1km", "--template", "{id}"]
      #expect(try run(home, "quakes", arguments, reference: reference).lines == ["us3"], "\(words)")
    }
    let latest = try run(
      home, "quakes", ["near", "latest", "--within", "1km", "--template", "{id}"], reference: reference)
    #expect(latest.lines == ["us1"], "\(latest)")
  }

  private static let unknown = [
    " ", "testlund", "0", "-1", "99999999999999999999", "%@ \"' ) OR 1 = 1 --", "x\u{1B}[2J\nquakes: forged\u{202E}",
    "\\", "*", String(repeating: "a", count: 100_000),
  ]

  @Test(arguments: zip(unknown, unknown.indices)) func `an unknown region is refused with status 2`(
    _ text: String, _ first: Int
  )
    throws
  {
    let (home, reference) = try world()
    for command in ["list", "watch", "map"].sampled(every: 3, from: first) {
      let result = try run(home, "quakes", [command, "--region=\(text)"], reference: reference)
      #expect(result.status == 2 && result.lines.isEmpty && result.errors.hasPrefix("quakes: there is no region"))
      #expect(!result.errors.contains("\u{1B}") && !result.errors.contains("\u{202E}"))
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(result.errors.contains("similar") == (text == "testlund"))
    }
  }

  @Test func `without regions only the region commands fail`() throws {
    let (home, reference) = try Self.world(hasRegions: false)
    // The first file does not contain regions, and the second does not exist.
    for reference in [reference, home.url.appendingPathComponent("missing.sqlite").path] {
      let list = try run(home, "quakes", ["list", "--json"], reference: reference)
      #expect(list.status == 0 && list.lines.joined().contains(#""region":null"#), "\(list)")
      #expect(try run(home, "quakes", ["list", "--place", "region"], reference: reference).lines.count == 9)
      for arguments in [["list", "--region", "testland"], ["regions"]] {
        let result = try run(home, "quakes", arguments, reference: reference)
        #expect(result.status == 4 && result.errors.contains("build.sh"), "\(result)")
      }
    }
    #expect(try run(home, "quakes", ["--version"], reference: reference).lines.last?.hasPrefix("Regions: none") == true)
    let doctor = try run(home, "quakes", ["doctor"], reference: reference).lines
    #expect(doctor.contains { $0.contains("but no regions") })
  }

  @Test func `a store without the region entity still provides its cities`() throws {
    let home = try Home()
    let url = home.url.appendingPathComponent("Reference.sqlite")
    try ReferenceWriter.write(to: url, as: "Reference without regions") { context in
      let city = City(context: context)
      (city.geonamesID, city.name, city.country) = (1, "Skopje", "North Macedonia")
      (city.latitude, city.longitude, city.population) = (5, 5, 15_000)
    }
    let body = try home.write("feed.geojson", Self.feed)
    #expect(try run(home, "quakes-fetch", ["--once", body], reference: url.path).errors.isEmpty)
    let show = try run(home, "quakes", ["show", "us1"], reference: url.path)
    #expect(show.status == 0 && show.errors.isEmpty && show.lines.contains { $0.contains("Skopje") }, "\(show)")
    #expect(!show.lines.contains { $0.hasPrefix("region") })
    let list = try run(home, "quakes", ["list", "--region", "testland"], reference: url.path)
    #expect(list.status == 4 && list.errors.contains("earlier version"), "\(list)")
  }

  @Test(arguments: [
    ("names.asc", ""), ("quadsidx.asc", "1 2 3"), ("quadsidx.asc", String(repeating: "0 ", count: 364)),
    ("quadsidx.asc", String(repeating: "9223372036854775807 ", count: 364)), ("nesect.asc", "0 1"),
    ("nesect.asc", "0 x"),
    ("swsect.asc", String(repeating: "0 4 ", count: 91)), ("swsect.asc", String(repeating: "1 3 ", count: 91)),
    ("sesect.asc", String(repeating: "0 3 ", count: 92)), ("sesect.asc", "\u{0}\u{1B}"),
  ])
  func `damaged and inconsistent region tables are refused`(_ name: String, _ text: String) throws {
    let home = try Home()
    let folder = try Self.writeTables(home, Self.tables.merging([name: text]) { $1 })
    let path = home.url.appendingPathComponent("Reference.sqlite").path
    let result = try run(
      home, "quakes-reference", ["--regions", folder, path], reference: "", input: Self.city)
    #expect(result.status == 6 && result.errors.contains(folder) && !result.errors.contains("\u{1B}"), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
