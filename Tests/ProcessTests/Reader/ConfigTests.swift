import Foundation
import StrataTestSupport
import Testing

/// The settings file as the programs use it.
@Suite(.waitsForProcesses, .serialized) struct ConfigTests {
  private let home: Home

  init() throws {
    home = try Home()
    let features = [(1, 4.5), (2, 5.5), (3, 6.5)].map { number, magnitude in
      #"{"type":"Feature","properties":{"mag":\#(magnitude),"place":"Place \#(number)","time":150000000000\#(number),"#
        + #""updated":1500000100000,"net":"us","code":"\#(number)","type":"earthquake"},"#
        + #""geometry":{"coordinates":[21.4,42.0,10]},"id":"us\#(number)"}"#
    }
    let file = try home.write(
      "feed.geojson", #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
    #expect(try run("quakes-fetch", ["--once", file]).status == 0)
  }

  private func run(
    _ name: String, _ arguments: [String], variables: [String: String] = [:]
  ) throws -> (status: Int32?, lines: [String], errorText: String) {
    let program = try Program(name, arguments, home: home.url, variables: variables)
    return (program.status(), program.lines, program.errorText)
  }

  /// Writes the settings file to its default location.
  private func configure(_ text: String) throws {
    let folder = home.url.appendingPathComponent(".config/quakes")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try text.write(to: folder.appendingPathComponent("config.toml"), atomically: true, encoding: .utf8)
  }

  private func ids(_ arguments: [String]) throws -> String {
    let list = try run("quakes", arguments + ["--template", "{id}"])
    #expect(list.status == 0, "\(list.errorText)")
    return list.lines.joined(separator: ",")
  }

  @Test func `the command line overrides the settings file`() throws {
    try configure(
      "[display]\nunits = \"mi\"\ntime = \"Asia/Tokyo\"\n[list]\nlimit = 1\nsort = \"magnitude\"\nmin_magnitude = 5\n")
    #expect(try ids(["list"]) == "us3")
    #expect(try ids(["list", "--limit", "0", "--min-magnitude=-10", "--sort", "time", "--reverse"]) == "us1,us2,us3")
    let show = try run("quakes", ["show", "us1"])
    #expect(show.lines.contains("depth         6.2 mi") && show.lines.contains { $0.contains("11:40:00 JST") })
    let other = try run("quakes", ["show", "us1", "--units", "km", "--utc"])
    #expect(other.lines.contains("depth         10.0 km") && other.lines.contains { $0.contains("02:40:00 UTC") })
  }

  @Test func `the environment overrides the settings file`() throws {
    try configure("[display]\ncolor = \"always\"\n")
    #expect(try run("quakes", ["list"]).lines.contains { $0.contains("\u{1B}") })
    #expect(try run("quakes", ["list"], variables: ["NO_COLOR": "1"]).lines.allSatisfy { !$0.contains("\u{1B}") })
    let config = try run("quakes", ["config", "print"], variables: ["NO_COLOR": "1"])
    #expect(config.lines.contains { $0.hasPrefix("color = \"never\"") && $0.hasSuffix("# $NO_COLOR") })
    let chosen = try home.write("other.toml", "[list]\nlimit = 2\n")
    #expect(try run("quakes", ["list", "--ndjson"], variables: ["QUAKES_CONFIG": chosen]).lines.count == 2)
    #expect(try run("quakes", ["list", "--ndjson", "--config", chosen]).lines.count == 2)
  }

  @Test func `named filters apply their options`() throws {
    try configure(
      "[filter.large]\nmin_magnitude = 5\n[filter.here]\nnear = \"42,21\"\nwithin = \"100km\"\nuntil = \"1d\"\n")
    #expect(try ids(["--filter", "large"]) == "us3,us2")
    #expect(try ids(["list", "--filter=large", "--filter", "here"]) == "us3,us2")
    #expect(try ids(["list", "--min-magnitude", "6", "--filter", "large"]) == "us3")
    let export = try run("quakes", ["export", "--format", "ndjson", "--filter", "large"])
    #expect(export.lines.count == 2, "\(export.errorText)")
    let missing = try run("quakes", ["list", "--filter", "small"])
    #expect(missing.status == 2 && missing.errorText.contains("\"here\", \"large\""), "\(missing.errorText)")
  }

  @Test func `each program reports a mistake in the settings`() throws {
    try configure("[display]\nunits = \"nm\"\n")
    let commands = [
      ("quakes", ["list"]), ("quakes", ["show", "us1"]), ("quakes", ["config", "check"]), ("quakes-summary", []),
      ("quakes-fetch", ["--check-config"]), ("quakes-fetch", ["--once", "sample"]),
    ]
    for (program, arguments) in commands {
      let result = try run(program, arguments)
      #expect(result.status == 78 && result.lines.isEmpty, "\(program) \(arguments)")
      #expect(result.errorText.contains("display.units (line 2) must be \"km\" or \"mi\""), "\(result.errorText)")
    }
    for arguments in [["--help"], ["config", "path"], ["workers", "stop"]] {
      #expect(try run("quakes", arguments).status == 0, "\(arguments)")
    }
    #expect(try run("quakes-summary", ["--help"]).status == 0)
  }

  @Test func `the worker fetches the feeds of the settings file`() throws {
    let file = home.url.appendingPathComponent("feed.geojson").path
    try configure("[fetch]\nfeeds = [\"\(file)\"]\ninterval = 3600\n")
    #expect(try run("quakes-fetch", ["--check-config"]).status == 0)
    let worker = try Program("quakes-fetch", [], home: home.url)
    #expect(worker.wait { $0.contains { $0.contains("feed.geojson: 3 events") } }, "\(worker.errorText)")
    worker.signal(SIGTERM)
    #expect(worker.status() != nil)
    try configure("[fetch]\nfeeds = [\"all_years\"]\n")
    let check = try run("quakes-fetch", ["--check-config"])
    #expect(check.status == 78 && check.errorText.contains("fetch.feeds: \"all_years\""), "\(check.errorText)")
  }

  @Test func `an empty result uses the configured units`() throws {
    try configure("[display]\nunits = \"mi\"\ntime = \"Asia/Tokyo\"\n")
    let list = try run("quakes", ["list", "--near", "0,0", "--within", "100km", "--since", "2001-01-01T00:00Z"])
    #expect(list.errorText.contains("within 62 mi of"), "\(list.errorText)")
    let later = try run("quakes", ["list", "--since", "2026-01-01T00:00Z"])
    #expect(later.errorText.contains("since 2026-01-01 09:00:00 JST"), "\(later.errorText)")
  }

  @Test func `lists have the configured columns`() throws {
    try configure("[list]\ncolumns = [\"mag\", \"marks\", \"place\"]\n")
    #expect(try run("quakes", ["list", "--limit", "1"]).lines == [" MAG     PLACE", " 6.5     Place 3"])
    #expect(try run("quakes", ["list", "--limit", "1", "--columns", "id"]).lines == ["ID", "us3"])
    let watch = try Program("quakes", ["watch", "--limit", "1"], home: home.url)
    #expect(watch.wait { $0 == [" MAG  PLACE", " 6.5  Place 3"] }, "\(watch.lines)")
    watch.signal(SIGTERM)
    _ = watch.status()
    try configure("[display]\nclock = 12\ntime = \"UTC\"\n")
    #expect(try run("quakes", ["top", "--since", "2017-01-01"]).lines[1].contains("2017-07-14  2:40:00 am UTC"))
    try configure("[list]\ncolumns = [\"mag\", \"deth\"]\n")
    let wrong = try run("quakes", ["list"])
    #expect(wrong.status == 78 && wrong.errorText.contains("list.columns (line 2) must be a list of"), "\(wrong)")
  }

  @Test func `config check reports mistakes in keys, which lists do not use`() throws {
    for (keys, message) in [
      ("page_down = \"x\"\npage-down = \"X\"", "keys.page_down (line 2) and keys.page-down are the same command"),
      ("star = \"n\"", "keys.star (line 2) takes \"n\", the only key of next in the details"),
    ] {
      try configure("[keys]\n\(keys)\n")
      let check = try run("quakes", ["config", "check"])
      #expect(check.status == 78 && check.errorText.contains(message), "\(check)")
      #expect(try ids(["list"]) == "us3,us2,us1")
    }
  }

  @Test func `settings may begin with a byte order mark`() throws {
    try configure("\u{FEFF}[list]\r\nlimit = 1\r\ncolumns = [\"id\", \"mag\", \"id\"]\r\n")
    #expect(try run("quakes", ["config", "check"]).status == 0)
    #expect(try run("quakes", ["list"]).lines == ["ID    MAG", "us3   6.5"])
  }

  @Test func `an unknown setting is reported once`() throws {
    try configure("[display]\nunit = \"mi\"\n[list]\nlimit = 1\n")
    let list = try run("quakes", ["list", "--ndjson"])
    #expect(list.status == 0 && list.lines.count == 1)
    #expect(list.errorText.components(separatedBy: "\"display.unit\" (line 2)").count == 2, "\(list.errorText)")
  }

  @Test func `the summary reads its table of the settings file`() throws {
    try configure(
      "[display]\nunits = \"mi\"\n[summary]\ntemplate = \"{place}|{depth}\"\nmin_magnitude = 6\nformat = \"waybar\"\n")
    let line = try run("quakes-summary", [])
    #expect(line.lines.first?.contains("\"text\":\"Place 3|6 mi") == true, "\(line.lines)")
    let plain = try run("quakes-summary", ["--format", "plain", "--template", "{id} {depth}", "--units=km"])
    #expect(plain.lines.first?.hasPrefix("us3 10 km") == true, "\(plain.lines)")
    try configure("[summary]\ntemplate = \"{id}\"\nmin_magnitude = 8\nwhen_none = \"none\"\n")
    #expect(try run("quakes-summary", []).lines == ["none"])
    try configure("[summary]\ntemplate = \"{id}\"\nmin_magnitude = \"any\"\n")
    #expect(try run("quakes-summary", []).lines.first?.hasPrefix("us3") == true)
  }

  @Test func `config prints each setting with its origin`() throws {
    try configure("[display]\n# as at home\nunits = \"mi\"\n[filter.\"a b\"]\nfelt = true\n")
    let config = try run("quakes", ["config"])
    #expect(config.lines.contains { $0.hasPrefix("units = \"mi\" ") && $0.hasSuffix("# line 3") }, "\(config.lines)")
    #expect(config.lines.contains { $0.hasPrefix("clock = 24 ") && $0.hasSuffix("# default") })
    #expect(config.lines.suffix(2) == ["[filter.\"a b\"]", "felt = true"])
    // The output is a valid settings file.
    let copy = try home.write("copy.toml", config.lines.joined(separator: "\n"))
    #expect(try run("quakes", ["config", "check", "--config", copy]).status == 0)
  }

  @Test func `config edit creates and checks the settings file`() throws {
    let path = home.url.appendingPathComponent(".config/quakes/config.toml").path
    #expect(try run("quakes", ["config", "path"]).lines == [path])
    let made = try run("quakes", ["config", "edit"], variables: ["VISUAL": "", "EDITOR": "cat"])
    #expect(made.status == 0 && made.lines.contains("#units = \"km\""), "\(made.errorText)")
    let editor = "sh -c 'echo \"[list\" >\"$1\"' sh"
    let broken = try run("quakes", ["config", "edit"], variables: ["VISUAL": editor])
    #expect(broken.status == 78 && broken.errorText.contains("is not valid TOML at line 1"), "\(broken.errorText)")
    let missing = try run("quakes", ["config", "edit"], variables: ["EDITOR": "/no/editor"])
    #expect(missing.status == 78 && missing.errorText.contains("set EDITOR"), "\(missing.errorText)")
  }
}
