import CoreData
import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// The Reference store as users build and use it.
@Suite(.waitsForProcesses) struct ReferenceTests {
  private static let cities = """
    785842\tSkopje\tNorth Macedonia\tKarpoš\t41.99646\t21.43141\t474889
    3882428\tLos Ángeles\tChile\tBiobío\t-37.46973\t-72.35366\t125430

    """

  private func feed(latitude: Double) -> String {
    """
    {"type":"FeatureCollection","metadata":{"generated":1,"count":1},"features":[{"type":"Feature","properties":
    {"mag":4.1,"place":"in the hills","time":1700000000000,"updated":1700000000000,"status":"reviewed",
    "type":"earthquake","net":"us","code":"1","title":"M 4.1 - in the hills"},
    "geometry":{"type":"Point","coordinates":[21.4,\(latitude),10.0]},"id":"us1"}]}
    """
  }

  private func run(
    _ home: Home, _ name: String, _ arguments: [String], reference: String, input: String? = nil
  ) throws -> (status: Int32?, text: String, errors: String) {
    let program = try Program(
      name, arguments, home: home.url, input: input.map { Data($0.utf8) }, variables: ["QUAKES_REFERENCE": reference])
    let status = program.status()
    return (status, program.lines.joined(separator: "\n"), program.errorText)
  }

  @Test func `nearest cities are shown once the reference store exists`() throws {
    let home = try Home()
    let reference = home.url.appendingPathComponent("Reference.sqlite").path
    let body = try home.write("feed.geojson", feed(latitude: 42.1))

    // Without the store, everything else is shown.
    let first = try run(home, "quakes-fetch", ["--once", body], reference: reference)
    #expect(first.status == 0 && first.errors.contains("Reference store"), "\(first)")
    let bare = try run(home, "quakes", ["show", "us1"], reference: reference)
    #expect(bare.status == 0 && bare.text.contains("in the hills") && !bare.text.contains("near"), "\(bare)")

    let built = try run(home, "quakes-reference", [reference], reference: "", input: Self.cities)
    #expect(built.status == 0 && built.text.contains("2 cities"), "\(built)")
    let second = try run(home, "quakes-fetch", ["--once", body], reference: reference)
    #expect(second.status == 0 && second.errors.isEmpty, "\(second)")
    let show = try run(home, "quakes", ["show", "us1"], reference: reference)
    #expect(show.text.contains("near          12 km NNW of Skopje, North Macedonia (pop. 474,889)"), "\(show)")
    let json = try run(home, "quakes", ["list", "--json"], reference: reference)
    let city =
      #""nearest_city":{"name":"Skopje","country":"North Macedonia","region":"Karpoš","distance_km":11.8,"bearing":347}"#
    #expect(json.text.contains(city), "\(json)")
    let list = try run(home, "quakes", ["list", "--place", "nearest"], reference: reference)
    #expect(list.text.contains("12 km NNW of Skopje, North Macedonia"), "\(list)")
    #expect(try run(home, "quakes", ["list"], reference: reference).text.contains("in the hills"))
    let version = try run(home, "quakes", ["--version"], reference: reference)
    #expect(version.text.contains("GeoNames") && version.text.contains(reference), "\(version)")
  }

  @Test func `every command writes the same fields of an earthquake`() throws {
    let home = try Home()
    let reference = home.url.appendingPathComponent("Reference.sqlite").path
    let body = try home.write("feed.geojson", feed(latitude: 42.1))
    #expect(try run(home, "quakes-reference", [reference], reference: "", input: Self.cities).status == 0)
    #expect(try run(home, "quakes-fetch", ["--once", body], reference: reference).status == 0)
    #expect(try run(home, "quakes", ["star", "us1"], reference: reference).status == 0)

    func json(_ arguments: String...) throws -> NSDictionary {
      let result = try run(home, "quakes", arguments, reference: reference)
      #expect(result.status == 0, "\(result)")
      return try #require(try JSONSerialization.jsonObject(with: Data(result.text.utf8)) as? NSDictionary)
    }
    func first(_ key: String, in object: NSDictionary) throws -> NSDictionary {
      try #require((object[key] as? [NSDictionary])?.first)
    }
    let listed = try first("quakes", in: json("list", "--json"))
    #expect((listed["nearest_city"] as? NSDictionary)?["name"] as? String == "Skopje", "\(listed)")
    #expect(listed["starred"] as? Bool == true, "\(listed)")
    let shown = try json("show", "us1", "--json", "--history")
    #expect(try json("list", "--ndjson") == listed)
    #expect(try json("export", "--format", "ndjson") == listed)
    #expect(try json("stats", "--json")["largest"] as? NSDictionary == listed)
    #expect(shown["quake"] as? NSDictionary == listed)
    #expect(try first("history", in: shown)["quake"] as? NSDictionary == listed)
    #expect(try first("changes", in: json("changes", "--json"))["quake"] as? NSDictionary == listed)
  }

  @Test func `an ambiguous city name reports which city is meant`() throws {
    let home = try Home()
    let reference = home.url.appendingPathComponent("Reference.sqlite").path
    let cities = """
      1\tValencia\tSpain\tValencia\t39.47\t-0.38\t814208
      2\tValencia\tVenezuela\tCarabobo\t10.16\t-68.0\t1385083
      3\tValencia\tVenezuela\tFalcón\t11.2\t-69.5\t0

      """
    #expect(try run(home, "quakes-reference", [reference], reference: "", input: cities).status == 0)
    let body = try home.write("feed.geojson", feed(latitude: 42.1))
    #expect(try run(home, "quakes-fetch", ["--once", body], reference: reference).status == 0)
    func near(_ text: String) throws -> String {
      try run(home, "quakes", ["near", text], reference: reference).errors
    }
    let largest = try near("valencia")
    #expect(largest.contains("within 500 km of Valencia, Venezuela"), "\(largest)")
    let note = #""valencia" is Valencia, Venezuela, the largest of 3 cities of that name; another is "Valencia, Spain""#
    #expect(largest.contains(note), "\(largest)")
    #expect(try near("Valencia, Venezuela").contains(#"another is "Valencia, Falcón""#))
    let only = try near("Valencia, Spain")
    #expect(only.contains("within 500 km of Valencia, Spain") && !only.contains("largest"), "\(only)")
  }

  /// A package installs the file into a folder of its own, and deletes the folder when it is removed.
  @Test func `readers leave no files next to the store`() throws {
    let home = try Home()
    let written = home.url.appendingPathComponent("written.sqlite")
    #expect(try run(home, "quakes-reference", [written.path], reference: "", input: Self.cities).status == 0)
    let folder = home.url.appendingPathComponent("share")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let reference = folder.appendingPathComponent("Reference.sqlite")
    try FileManager.default.copyItem(at: written, to: reference)
    let contents = try Data(contentsOf: reference)
    // The versions of the format for writing and for reading: 1 is a rollback journal, 2 a write-ahead log.
    #expect(Array(contents[18..<20]) == [1, 1])
    let body = try home.write("feed.geojson", feed(latitude: 42.1))
    for rights in [0o755, 0o555] {
      try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: folder.path)
      let commands = [
        ("quakes-fetch", ["--once", body]), ("quakes", ["list", "--place", "nearest"]), ("quakes", ["near", "Skopje"]),
        ("quakes", ["map"]), ("quakes", ["doctor"]),
      ]
      for (name, arguments) in commands {
        let result = try run(home, name, arguments, reference: reference.path)
        #expect(result.status == 0, "\(result)")
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Reference.sqlite"], "\(arguments)")
      }
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    #expect(try Data(contentsOf: reference) == contents)
  }

  /// Two squares side by side, the second of which reaches 180° E, and an islet.
  private static let squares: [[(Double, Double)]] = [
    [(170, 0), (175, 0), (175, 5), (170, 5), (170, 0)], [(175, 0), (180, 0), (180, 5), (175, 5), (175, 0)],
    [(-20, -10), (-19.99, -10), (-19.99, -9.99), (-20, -10)],
  ]

  private func shapefile() -> Data {
    var data = Data(count: 100)
    func append(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number) { data.append(contentsOf: $0) } }
    for (index, ring) in Self.squares.enumerated() {
      append(Int32(index + 1).bigEndian)
      append(Int32((48 + ring.count * 16) / 2).bigEndian)
      append(Int32(5).littleEndian)
      data.append(Data(count: 32))
      for number in [1, ring.count, 0] { append(Int32(number).littleEndian) }
      for number in ring.flatMap({ [$0.0, $0.1] }) { append(number.bitPattern.littleEndian) }
    }
    data.replaceSubrange(0..<4, with: [0, 0, 0x27, 0x0A])
    return data
  }

  @Test func `land is the outlines that countries do not share`() throws {
    let home = try Home()
    let shapes = home.url.appendingPathComponent("countries.shp")
    try shapefile().write(to: shapes)
    let url = home.url.appendingPathComponent("Reference.sqlite")
    let built = try run(home, "quakes-reference", [url.path, shapes.path], reference: "", input: Self.cities)
    #expect(built.status == 0 && built.text.contains("2 cities, 2 outlines of land"), "\(built)")
    let container = QuakesContainer(name: StoreLocation.storeName)
    try container.addReference(ReferenceLocation(url: url))
    let context = container.newBackgroundContext()
    func outlines(_ box: String, isDetailed: Bool) throws -> Set<String> {
      try context.performAndWait {
        let all = try LandOutline.all(in: try #require(GeoBox(box)), isDetailed: isDetailed, in: context)
        return Set(all.map { $0.positions.map { "\($0.latitude) \($0.longitude)" }.joined(separator: ", ") })
      }
    }
    let squares = "0.0 170.0, 0.0 175.0, 0.0 180.0, 5.0 180.0, 5.0 175.0, 5.0 170.0, 0.0 170.0"
    let coarse = "0.0 170.0, 0.0 180.0, 5.0 180.0, 5.0 170.0, 0.0 170.0"
    let islet = "-10.0 -20.0, -10.0 -19.99, -9.99 -19.99, -10.0 -20.0"
    #expect(try outlines("-180,-90,180,90", isDetailed: true) == [squares, islet])
    #expect(try outlines("-180,-90,180,90", isDetailed: false) == [coarse])
    // A box across the date line, and others that end before an outline.
    #expect(try outlines("179,-90,-179,90", isDetailed: true) == [squares])
    #expect(try outlines("-21,-11,-19,-9", isDetailed: true) == [islet])
    #expect(try outlines("-179,-90,-21,90", isDetailed: true) == [])
    #expect(try outlines("170,6,180,7", isDetailed: true) == [])
  }

  @Test func `a damaged shapefile is refused`() throws {
    let home = try Home()
    let (whole, path) = (shapefile(), home.url.appendingPathComponent("Reference.sqlite").path)
    var wild = whole
    // Replaces the number of points.
    wild.replaceSubrange(100 + 8 + 40..<100 + 8 + 44, with: [0xFF, 0xFF, 0xFF, 0x7F])
    for data in [Data(), Data("no shapes".utf8), whole.dropLast(), whole.prefix(105), wild] {
      let shapes = home.url.appendingPathComponent("countries.shp")
      try data.write(to: shapes)
      let result = try run(home, "quakes-reference", [path, shapes.path], reference: "", input: Self.cities)
      #expect(result.status == 6 && result.errors.contains("countries.shp"), "\(result)")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `plate boundaries are read from GeoJSON`() throws {
    let home = try Home()
    let file = try home.write(
      "plates.json",
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"Name":"AF-AN"},"geometry":{"type":"LineString","coordinates":[[-0.5,-54.75],[1,2]]}},
      {"type":"Feature","properties":null,"geometry":{"type":"MultiLineString","coordinates":[[[180,1,5],[179,2]]]}}]}
      """)
    let url = home.url.appendingPathComponent("Reference.sqlite")
    let built = try run(
      home, "quakes-reference", ["--plates", file, url.path], reference: "", input: Self.cities)
    #expect(built.status == 0 && built.text.contains("2 plate boundaries"), "\(built)")
    let container = QuakesContainer(name: StoreLocation.storeName)
    try container.addReference(ReferenceLocation(url: url))
    let context = container.newBackgroundContext()
    let lines = try context.performAndWait {
      try context.fetch(PlateBoundary.fetchRequest()).map { plate in
        "\(plate.name ?? "-") " + plate.positions.map { "\($0.latitude) \($0.longitude)" }.joined(separator: ", ")
      }
    }
    #expect(Set(lines) == ["AF-AN -54.75 -0.5, 2.0 1.0", "- 1.0 180.0, 2.0 179.0"])
  }

  @Test(arguments: [
    "", "{}", #"{"features":[]}"#, #"{"features":[{"properties":{},"geometry":{"type":"Point","coordinates":[0,0]}}]}"#,
    #"{"features":[{"properties":{},"geometry":{"type":"LineString","coordinates":[[0,91]]}}]}"#,
    #"{"features":[{"properties":{},"geometry":{"type":"LineString","coordinates":[[0]]}}]}"#,
  ]) func `a file without plate boundaries is refused`(_ text: String) throws {
    let home = try Home()
    let (file, path) = (try home.write("plates.json", text), home.url.appendingPathComponent("Reference.sqlite").path)
    let result = try run(home, "quakes-reference", [path, "--plates", file], reference: "", input: Self.cities)
    #expect(result.status == 6 && result.errors.contains("plates.json"), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `input that is not a list of cities is refused`() throws {
    let home = try Home()
    let path = home.url.appendingPathComponent("Reference.sqlite").path
    let inputs = ["", "1\tA\tB\t\t91\t0\t1\n", "1\tA\tB\t\tnan\t0\t1\n", "99999999999\tA\tB\t\t0\t0\t1\n", "1\t2\n"]
    for input in inputs {
      let result = try run(home, "quakes-reference", [path], reference: "", input: input)
      #expect(result.status == 6 && !result.errors.isEmpty, "\(input): \(result)")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
