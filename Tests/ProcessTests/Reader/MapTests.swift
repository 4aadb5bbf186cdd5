import CoreData
import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// `quakes map` as users run it, on stores that the programs created.
@Suite(.waitsForProcesses, .serialized) struct MapTests {
  private let home: Home
  private static let filled = Result { try fill() }

  init() throws { home = try Home(copyOf: Self.filled.get()) }

  private static func fill() throws -> Home {
    let home = try Home(in: TemporaryFolder.make())
    let features = [
      #"{"mag":4.5,"place":"Skopje","time":1500000000000,"updated":1,"net":"us","code":"1"},"#
        + #""geometry":{"coordinates":[21.4,42.0,10]},"id":"us1"}"#,
      #"{"mag":7.5,"place":"<Fiji> & \"Tonga\"","time":1500003600000,"updated":1,"net":"us","code":"2"},"#
        + #""geometry":{"coordinates":[-179.5,-18.0,550.5]},"id":"us2"}"#,
      #"{"mag":1.2,"place":"near Skopje","time":1500007200000,"updated":1,"net":"us","code":"3"},"#
        + #""geometry":{"coordinates":[21.9,42.0,80]},"id":"us3"}"#,
    ].map { #"{"type":"Feature","properties":"# + $0 }
    let text =
      #"{"type":"FeatureCollection","metadata":{"generated":1500010000000,"count":3},"features":["#
      + features.joined(separator: ",") + "]}"
    let file = try home.write("feed.geojson", text)
    #expect(try Program("quakes-fetch", ["--once", file], home: home.url).status() == 0)
    let plates = #"{"features":[{"geometry":{"type":"LineString","coordinates":[[160,-60],[-160,-60]]}}]}"#
    let cities = "785842\tSkopje\tNorth Macedonia\t\t41.99646\t21.43141\t474889\n"
    let built = try Program(
      "quakes-reference", [reference(in: home), "--plates", try home.write("plates.json", plates)], home: home.url,
      input: Data(cities.utf8))
    #expect(built.status() == 0, "\(built.errorText)")
    return home
  }

  private static func reference(in home: Home) -> String { home.url.appendingPathComponent("Reference.sqlite").path }
  private var reference: String { Self.reference(in: home) }

  private func run(
    _ name: String, _ arguments: [String], _ variables: [String: String] = [:]
  ) throws -> (status: Int32?, lines: [String], errors: String) {
    let program = try Program(
      name, arguments, home: home.url,
      variables: ["QUAKES_REFERENCE": reference].merging(variables) { _, given in given })
    return (program.status(), program.lines, program.errorText)
  }

  private func map(
    _ words: String, _ variables: [String: String] = [:]
  ) throws -> (status: Int32?, lines: [String], errors: String) {
    try run("quakes", ["map"] + words.split(separator: " ").map(String.init), variables)
  }

  @Test func `a map in a pipe shows the world in 80 columns`() throws {
    let map = try map("--since 2017-01-01")
    #expect(map.status == 0 && map.lines.count == 24 && map.lines.allSatisfy { $0.count <= 80 }, "\(map)")
    let text = map.lines.joined(separator: "\n")
    #expect(text.contains("●") && text.contains("○") && !text.contains("\u{1B}"), "\(text)")
    #expect(
      map.lines.last?.hasPrefix("3 earthquakes; the largest M 7.5 <Fiji> & \"Tonga\", 2017-07-14") == true, "\(map)")
    #expect(map.lines.contains { $0.contains("⠤⠤⠤") || $0.contains("⠒⠒⠒") || $0.contains("⣀⣀⣀") }, "\(map)")
    #expect(try self.map("--since 2017-01-01 --no-plates").lines.allSatisfy { !$0.contains("⠤⠤⠤") })
  }

  @Test func `filters select the events and the area of the map`() throws {
    let box = try map("--since 2017-01-01 --box 20,40,24,44 --width 60")
    #expect(box.lines.last?.hasPrefix("2 earthquakes") == true && box.lines.contains { $0.contains("22°E") }, "\(box)")
    #expect(box.lines.contains { $0.contains("Skopje") }, "\(box)")
    let near = try map("--since 2017-01-01 --near Skopje --within 20km")
    #expect(near.lines.last == "1 earthquake", "\(near)")
    let id = try map("us1 --no-labels")
    #expect(id.lines.last?.hasPrefix("2 earthquakes; the largest M 4.5 Skopje") == true, "\(id)")
    #expect(id.lines.contains { $0.contains("[○]") } && !id.lines.dropLast().joined().contains("Skopje"), "\(id)")
    #expect(try run("quakes", ["star", "us2"]).status == 0)
    let starred = try map("--since 2017-01-01 --starred")
    #expect(starred.lines.last == "1 earthquake" && starred.lines.joined().contains("●"), "\(starred)")
    let past = try map("--since 2017-01-01 --as-of 2017-08-01 --min-magnitude 7")
    #expect(past.lines.last == "1 earthquake", "\(past)")
    let middle = try map("--since 2017-01-01 --center 0")
    #expect(middle.lines.contains { $0.contains("120°W──") && $0.contains("0°") && !$0.contains("180") }, "\(middle)")
  }

  @Test func `without matches the map is empty and says why`() throws {
    let empty = try map("--since 2017-01-01 --min-magnitude 9")
    #expect(empty.status == 0 && empty.lines.last == "0 earthquakes", "\(empty)")
    #expect(empty.errors.contains("of these none of magnitude 9.0 and above"), "\(empty)")
  }

  @Test func `earthquakes are drawn without a reference store`() throws {
    for path in ["/no/such/file", home.url.appendingPathComponent("feed.geojson").path] {
      let bare = try map("--since 2017-01-01", ["QUAKES_REFERENCE": path])
      #expect(bare.status == 0 && bare.lines.joined().contains("●"), "\(bare)")
      #expect(bare.errors.contains("coastlines are unavailable") && bare.errors.contains("build.sh"), "\(bare)")
    }
    let none = try map("--since 2017-01-01", ["QUAKES_REFERENCE": "", "XDG_DATA_DIRS": home.url.path])
    #expect(none.status == 0 && none.lines.joined().contains("●"), "\(none)")
  }

  @Test func `coasts have their details on the map of a region`() throws {
    let url = home.url.appendingPathComponent("Land.sqlite")
    try ReferenceWriter.write(to: url) { context in
      ReferenceWriter.addLand(GeoBox("10,30,30,50")!, isDetailed: false, to: context)
      ReferenceWriter.addLand(GeoBox("21.5,41.5,22.5,42.5")!, isDetailed: true, to: context)
    }
    let options = "--since 2017-01-01 --no-labels --no-frame --min-magnitude 9"
    func dots(_ area: String) throws -> [String] {
      let map = try map("\(options) \(area)", ["QUAKES_REFERENCE": url.path])
      #expect(map.status == 0, "\(map)")
      return map.lines.dropLast(2).filter { line in line.contains { $0 != " " } }
    }
    // A square of ten lines in the middle, and one of more than that to the left.
    let (region, world) = (try dots("--box 20,40,24,44"), try dots("--center 20"))
    #expect(region.count > 4 && region.count < 12, "\(region)")
    #expect(world.count > 2 && world.count < 6, "\(world)")
    let svg = try map("\(options) --box 20,40,24,44 --svg", ["QUAKES_REFERENCE": url.path]).lines
    #expect(svg.contains { $0.contains(##"fill="#26313d" d="M"##) }, "\(svg)")
  }

  @Test(arguments: ["Reference without land", "Reference without regions"])
  func `a reference store of an earlier version still has its coasts`(_ version: String) throws {
    let url = home.url.appendingPathComponent("Old.sqlite")
    try ReferenceWriter.write(to: url, as: version) { context in
      Coastline(context: context).positions = [(-20, 100), (-20, 160)]
    }
    let map = try map("--since 2017-01-01", ["QUAKES_REFERENCE": url.path])
    #expect(map.status == 0 && map.errors.isEmpty, "\(map)")
    #expect(map.lines.contains { $0.contains("⠤⠤⠤") || $0.contains("⠒⠒⠒") || $0.contains("⣀⣀⣀") }, "\(map)")
  }

  @Test(arguments: [["LC_ALL": "C"], ["LC_ALL": "", "LANG": "de_DE.ISO-8859-1"]])
  func `locales without UTF-8 get an ASCII map`(_ variables: [String: String]) throws {
    let map = try map("--since 2017-01-01 --no-labels", variables)
    #expect(map.lines.joined().utf8.allSatisfy { $0 < 0x80 } && map.lines.joined().contains("7"), "\(map)")
    #expect(try self.map("--since 2017-01-01", ["LC_ALL": "", "LANG": "de_DE.utf8"]).lines.joined().contains("●"))
  }

  @Test func `pictures are written to files and pipes`() throws {
    let (svg, png) = (home.url.appendingPathComponent("m.svg"), home.url.appendingPathComponent("m.png"))
    let both = try map("--since 2017-01-01 --svg \(svg.path) --png \(png.path) --size 400x200")
    #expect(both.status == 0 && both.lines.isEmpty, "\(both)")
    #expect(try Data(contentsOf: png).prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let text = try String(contentsOf: svg, encoding: .utf8)
    #expect(text.contains("3 earthquakes; the largest M 7.5") && text.contains("2017-01-01 to "), "\(text)")
    #expect(text.contains("km at the equator") && !text.contains("Skopje</text>"), "\(text)")
    #expect(text.contains(#"<title>M 7.5 &lt;Fiji&gt; &amp; &quot;Tonga&quot;, 551 km"#), "\(text)")
    #expect(try map("--since 2017-01-01 --size 400x200 --svg").lines.joined(separator: "\n") + "\n" == text)
    let region = try map("--since 2017-01-01 --until 2017-08-01 --box 20,40,24,44 --svg")
    let words = region.lines.joined()
    #expect(words.contains(">Skopje</text>") && words.contains(">100 km</text>"), "\(words)")
    #expect(words.contains(">2017-01-01 to 2017-08-01 "), "\(words)")
    #expect(try map("--since 2017-01-01 --png -").lines.joined().contains("IHDR"))
    let sixels = try map("--since 2017-01-01 --sixel --size 100x64").lines.joined()
    #expect(sixels.hasPrefix("\u{1B}Pq") && sixels.contains("3 earthquakes"))
    #expect(try map("--since 2017-01-01 --kitty --size 100x64").lines.joined().hasPrefix("\u{1B}_Ga=T"))
    // A pipe cannot report that it shows pictures.
    let asked = try map("--since 2017-01-01 --picture", ["KITTY_WINDOW_ID": "1"])
    #expect(asked.lines.joined().contains("●") && asked.errors.contains("does not report"), "\(asked)")
  }

  /// Returns the map in a terminal that responds to the query of its attributes.
  private func map(_ arguments: String, inTerminalRespondingWith response: String) throws -> String {
    var (terminal, program): (Int32, Int32) = (-1, -1)
    try #require(openpty(&terminal, &program, nil, nil, nil) == 0)
    let master = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
    let slave = FileHandle(fileDescriptor: program, closeOnDealloc: true)
    let variables = [
      "HOME": home.url.path, "STRATA_GROUP_CONTAINERS": home.url.path, "QUAKES_REFERENCE": reference, "TERM": "vt240",
      "COLUMNS": "120",
    ].merging(Program.sanitizer) { own, _ in own }
    let process = try SpawnedProcess(
      Program.file("quakes").path,
      ["map", "--since", "2017-01-01"] + arguments.split(separator: " ").map(String.init), environment: variables,
      input: slave, output: slave, errors: nil)
    try slave.close()
    var (text, hasResponded, part) = ("", false, [UInt8](repeating: 0, count: 4096))
    // A read from a terminal fails once no process has it open.
    while case let count = read(terminal, &part, part.count), count > 0 {
      text += String(decoding: part.prefix(count), as: UTF8.self)
      if !hasResponded, text.contains("\u{1B}[c") {
        try master.write(contentsOf: Data(response.utf8))
        hasResponded = true
      }
    }
    process.status()
    #expect(hasResponded && text.contains("3 earthquakes"), "\(text)")
    return text
  }

  /// A terminal with the attributes of a VT240, with and without sixels, after something was typed.
  @Test func `sixels are used only if the terminal reports them`() throws {
    func map(_ response: String) throws -> String {
      try self.map("--picture --size 100x64", inTerminalRespondingWith: response)
    }
    // On a slow machine, the response may come too late, but not every time.
    #expect(try (0..<20).contains { _ in try map("abc\u{1B}[?62;4;22c").contains("\u{1B}Pq") })
    let text = try map("\u{1B}[?62;22c")
    // A mark in the color of its depth.
    #expect(!text.contains("\u{1B}P") && text.contains(";36m7\u{1B}[0m"), "\(text)")
  }

  /// xterm does not show pictures that are larger than the limit that it reports.
  @Test(arguments: ["300;200": 300, "4;4": 960, "0;99999999999999999999": 960])
  func `a picture fits the limit that the terminal reports`(_ largest: String, width: Int) throws {
    // On a slow machine, the response may come too late, but not every time.
    let isLimited = try (0..<20).contains { _ in
      try map("--sixel", inTerminalRespondingWith: "x\u{1B}[?2;0;\(largest)S\u{1B}[?63;4;22c")
        .contains("\u{1B}Pq\"1;1;\(width);")
    }
    #expect(isLimited)
  }

  @Test func `invalid map options are refused`() throws {
    let all = [
      "--size 10x10", "--size 1e9x3", "--size 400", "--width 5", "--height 0", "--zoom nan", "--zoom 0", "--center 400",
      "--center 91,0", "--center 1,2,3", "--center x", "--color-by size", "--svg - --png -", "--sixel --kitty",
      "--blocks --ascii", "us1 --near us2", "us1 --box 0,0,1,1", "--sort distance", "--sixel --png x.png",
      "--svg us1", "--png us1 --since 2017-01-01",
    ]
    for wrong in all.sampled(every: 4) {
      #expect(try map(wrong).status == 2, "\(wrong)")
    }
    #expect(try map("us99").status == 3)
    let failed = try map("--since 2017-01-01 --png \(home.url.path)/no/m.png")
    #expect(failed.status == 74 && failed.errors.contains("/no/m.png"), "\(failed)")
  }

  @Test func `any terminal width is accepted`() throws {
    for columns in ["1", "9223372036854775807", "-4", "x"].sampled(every: 2, from: 1) {
      let map = try map("--since 2017-01-01 --no-labels", ["COLUMNS": columns])
      #expect(map.status == 0, "\(columns): \(map)")
    }
  }
}
