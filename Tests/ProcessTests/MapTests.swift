import Foundation
import Testing

/// `quakes map` as users run it, on stores that the programs made.
@Suite(.serialized) struct MapTests {
  private let home: Home

  init() throws {
    home = try Home()
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
    #expect(try run("quakes-fetch", ["--once", try home.write("feed.geojson", text)]).status == 0)
    let plates = #"{"features":[{"geometry":{"type":"LineString","coordinates":[[160,-60],[-160,-60]]}}]}"#
    let cities = "785842\tSkopje\tNorth Macedonia\t\t41.99646\t21.43141\t474889\n"
    let built = try Program(
      "quakes-reference", [reference, "--plates", try home.write("plates.json", plates)], home: home.url,
      input: Data(cities.utf8))
    #expect(built.status() == 0, "\(built.errorText)")
  }

  private var reference: String { home.url.appendingPathComponent("Reference.sqlite").path }

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

  @Test func aPipeGetsAWorldEightyColumnsWide() throws {
    let map = try map("--since 2017-01-01")
    #expect(map.status == 0 && map.lines.count == 24 && map.lines.allSatisfy { $0.count <= 80 }, "\(map)")
    let text = map.lines.joined(separator: "\n")
    #expect(text.contains("●") && text.contains("○") && !text.contains("\u{1B}"), "\(text)")
    #expect(
      map.lines.last?.hasPrefix("3 earthquakes; the largest M 7.5 <Fiji> & \"Tonga\", 2017-07-14") == true, "\(map)")
    #expect(map.lines.contains { $0.contains("⠤⠤⠤") || $0.contains("⠒⠒⠒") || $0.contains("⣀⣀⣀") }, "\(map)")
    #expect(try self.map("--since 2017-01-01 --no-plates").lines.allSatisfy { !$0.contains("⠤⠤⠤") })
  }

  @Test func filtersChooseWhatIsOnTheMapAndWhatItShows() throws {
    let box = try map("--since 2017-01-01 --box 20,40,24,44 --width 60")
    #expect(box.lines.last?.hasPrefix("2 earthquakes") == true && box.lines.contains { $0.contains("22°E") }, "\(box)")
    #expect(box.lines.contains { $0.contains("Skopje") }, "\(box)")
    let near = try map("--since 2017-01-01 --near Skopje --within 20km")
    #expect(near.lines.last == "1 earthquake", "\(near)")
    let id = try map("us1 --no-labels")
    #expect(id.lines.last?.hasPrefix("2 earthquakes; the largest M 4.5 Skopje") == true, "\(id)")
    #expect(id.lines.contains { $0.contains("[○]") } && !id.lines.dropLast().joined().contains("Skopje"), "\(id)")
    let past = try map("--since 2017-01-01 --as-of 2017-08-01 --min-magnitude 7")
    #expect(past.lines.last == "1 earthquake", "\(past)")
    let middle = try map("--since 2017-01-01 --center 0")
    #expect(middle.lines.contains { $0.contains("120°W──") && $0.contains("0°") && !$0.contains("180") }, "\(middle)")
  }

  @Test func withoutMatchesTheMapIsEmptyAndSaysWhy() throws {
    let empty = try map("--since 2017-01-01 --min-magnitude 9")
    #expect(empty.status == 0 && empty.lines.last == "0 earthquakes", "\(empty)")
    #expect(empty.errors.contains("of these none of magnitude 9.0 and above"), "\(empty)")
  }

  @Test func withoutAReferenceStoreTheEarthquakesAreDrawn() throws {
    for path in ["/no/such/file", home.url.appendingPathComponent("feed.geojson").path] {
      let bare = try map("--since 2017-01-01", ["QUAKES_REFERENCE": path])
      #expect(bare.status == 0 && bare.lines.joined().contains("●"), "\(bare)")
      #expect(bare.errors.contains("coastlines are not known") && bare.errors.contains("build.sh"), "\(bare)")
    }
    let none = try map("--since 2017-01-01", ["QUAKES_REFERENCE": "", "XDG_DATA_DIRS": home.url.path])
    #expect(none.status == 0 && none.lines.joined().contains("●"), "\(none)")
  }

  @Test(arguments: [["LC_ALL": "C"], ["LC_ALL": "", "LANG": "de_DE.ISO-8859-1"]])
  func otherLocalesGetASCII(_ variables: [String: String]) throws {
    let map = try map("--since 2017-01-01 --no-labels", variables)
    #expect(map.lines.joined().utf8.allSatisfy { $0 < 0x80 } && map.lines.joined().contains("7"), "\(map)")
    #expect(try self.map("--since 2017-01-01", ["LC_ALL": "", "LANG": "de_DE.utf8"]).lines.joined().contains("●"))
  }

  @Test func picturesAreWrittenToFilesAndPipes() throws {
    let (svg, png) = (home.url.appendingPathComponent("m.svg"), home.url.appendingPathComponent("m.png"))
    let both = try map("--since 2017-01-01 --svg \(svg.path) --png \(png.path) --size 400x200")
    #expect(both.status == 0 && both.lines.isEmpty, "\(both)")
    #expect(try Data(contentsOf: png).prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let text = try String(contentsOf: svg, encoding: .utf8)
    #expect(text.contains(#"<title>M 7.5 &lt;Fiji&gt; &amp; &quot;Tonga&quot;, 551 km"#), "\(text)")
    #expect(try map("--since 2017-01-01 --size 400x200 --svg").lines.joined(separator: "\n") + "\n" == text)
    #expect(try map("--since 2017-01-01 --png -").lines.joined().contains("IHDR"))
    let sixels = try map("--since 2017-01-01 --sixel --size 100x64").lines.joined()
    #expect(sixels.hasPrefix("\u{1B}Pq") && sixels.contains("3 earthquakes"))
    #expect(try map("--since 2017-01-01 --kitty --size 100x64").lines.joined().hasPrefix("\u{1B}_Ga=T"))
    // A pipe is no terminal that could say that it shows pictures.
    let asked = try map("--since 2017-01-01 --picture", ["KITTY_WINDOW_ID": "1"])
    #expect(asked.lines.joined().contains("●") && asked.errors.contains("does not say"), "\(asked)")
  }

  @Test func whatCannotBeDoneIsSaid() throws {
    for wrong in [
      "--size 10x10", "--size 1e9x3", "--size 400", "--width 5", "--height 0", "--zoom nan", "--zoom 0", "--center 400",
      "--center 91,0", "--center 1,2,3", "--center x", "--color-by size", "--svg - --png -", "--sixel --kitty",
      "--blocks --ascii", "us1 --near us2", "us1 --box 0,0,1,1", "--sort distance", "--sixel --png x",
    ] {
      #expect(try map(wrong).status == 2, "\(wrong)")
    }
    #expect(try map("us99").status == 3)
    let failed = try map("--since 2017-01-01 --png \(home.url.path)/no/m.png")
    #expect(failed.status == 74 && failed.errors.contains("/no/m.png"), "\(failed)")
  }

  @Test func sizesOfTerminalsMayBeAnything() throws {
    for columns in ["1", "9223372036854775807", "-4", "x"] {
      let map = try map("--since 2017-01-01 --no-labels", ["COLUMNS": columns])
      #expect(map.status == 0, "\(columns): \(map)")
    }
  }
}
