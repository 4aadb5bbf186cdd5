import Foundation
import StrataTestSupport
import Testing

/// The reading commands as users run them, on a store that `quakes-fetch` created.
@Suite(.waitsForProcesses, .serialized) struct ReadingTests {
  private let home: Home
  private static let filled = Result { try fill() }

  init() throws { home = try Home(copyOf: Self.filled.get()) }

  private static func fill() throws -> Home {
    let home = try Home(in: TemporaryFolder.make())
    let features = [
      #"{"mag":4.5,"place":"Skopje","time":1500000000000,"updated":1500000100000,"net":"us","code":"1","felt":3,"#
        + #""alert":"yellow","status":"reviewed","type":"earthquake"},"geometry":{"coordinates":[21.4,42.0,10]},"id":"us1"}"#,
      #"{"mag":null,"place":"Fiji","time":1500003600000,"updated":1500003600000,"net":"us","code":"2","#
        + #""type":"earthquake"},"geometry":{"coordinates":[-179.5,-18.0,550.5]},"id":"us2"}"#,
      #"{"mag":1.25,"place":"a \"pit\", Utah","time":1500007200123,"updated":1500007200999,"net":"uu","code":"3","#
        + #""ids":",uu3,us9,","sources":",uu,us,","types":",origin,","nst":12,"gap":40.5,"rms":0.25,"dmin":0.01,"#
        + #""magType":"ml","type":"quarry blast","status":"automatic","title":"M 1.3 Quarry Blast - a \"pit\", Utah"},"#
        + #""geometry":{"coordinates":[-112.1,40.5,-1.2]},"id":"uu3"}"#,
    ].map { #"{"type":"Feature","properties":"# + $0 }
    let text =
      #"{"type":"FeatureCollection","metadata":{"generated":1500010000000,"count":3},"features":["#
      + features.joined(separator: ",") + "]}"
    let file = try home.write("feed.geojson", text)
    #expect(try Program("quakes-fetch", ["--once", file], home: home.url).status() == 0)
    return home
  }

  private func run(
    _ name: String, _ arguments: [String], variables: [String: String] = [:]
  ) throws -> (status: Int32?, lines: [String], errorText: String) {
    let program = try Program(name, arguments, home: home.url, variables: variables)
    return (program.status(), program.lines, program.errorText)
  }

  private static let filters = [
    ("--min-magnitude 2", "us1"), ("--max-magnitude 2", "uu3"), ("--max-depth -1", "uu3"), ("--min-depth 100", "us2"),
    ("--type quarry_blast", ""), ("--status reviewed", "us1"), ("--source uu", "uu3"), ("--box 170,-30,-170,0", "us2"),
    ("--near 42.5,21 --within 100km", "us1"), ("--near us2 --within 10mi", "us2"), ("--felt", "us1"),
    ("--where stations>=12,gap<41", "uu3"), ("--alert green", "us1"), ("--alert red", ""), ("--text PIT", "uu3"),
    ("--sort depth --limit 1", "us2"),
    ("--sort magnitude --reverse", "us2,uu3,us1"), ("--near -18,180 --within 20000km --sort distance", "us2,uu3,us1"),
    ("--since 2017-07-14T03:00Z --until 2017-07-14T04:00Z", "us2"),
    ("--as-of 2017-08-01 --box 170,-30,-170,0", "us2"), ("--as-of 2017-08-01 --sort magnitude --limit 1", "us1"),
  ].sampled(every: 3)

  @Test(arguments: filters) func `lists show the filtered earthquakes`(_ words: String, _ ids: String) throws {
    let list = try run("quakes", ["list", "--template", "{id}"] + words.split(separator: " ").map(String.init))
    #expect(list.lines.joined(separator: ",") == ids, "\(list.errorText)")
    #expect(list.errorText.isEmpty != ids.isEmpty, "\(list.errorText)")
  }

  @Test func `times are local unless they contain a zone`() throws {
    // 02:40:00 UTC is 04:40 in Berlin.
    let zone = ["TZ": "Europe/Berlin"]
    let local = try run("quakes", ["list", "--template", "{id}", "--until", "2017-07-14T04:40"], variables: zone)
    #expect(local.lines == ["us1"], "\(local.errorText)")
    let universal = try run("quakes", ["list", "--template", "{id}", "--until", "2017-07-14T02:39Z"], variables: zone)
    #expect(universal.lines == [], "\(universal.errorText)")
  }

  @Test(arguments: [["--utc"], ["--zone", "Asia/Tokyo"], []])
  func `times are in the zone in which they are displayed`(options: [String]) throws {
    // 02:40:00 UTC is 11:40 in Tokyo, and 22:40 of the day before in New York.
    let times = ["--utc": "2017-07-14T02:40", "--zone": "2017-07-14 11:40"]
    let end = options.first.flatMap { times[$0] } ?? "Jul 13 2017 22:40"
    for command in [
      ["list", "--until", end], ["list", "--as-of", end], ["map", "--until", end], ["stats", "--until", end],
    ] {
      let variables = ["TZ": "America/New_York"]
      let found = try run("quakes", command + options, variables: variables)
      // The service published its list three hours after the earthquake.
      let isKnown = !command.contains("--as-of")
      #expect(found.status == 0 && found.errorText.contains("us1") == false, "\(found)")
      if command[0] == "list" { #expect(found.lines.contains { $0.contains("us1") } == isKnown, "\(found)") }
      if command[0] == "stats" { #expect(found.lines.first?.hasPrefix("1 earthquake") == true, "\(found)") }
    }
  }

  @Test func `options choose the fields`() throws {
    let json = try run("quakes", ["list", "--fields", "id,magnitude", "--max-magnitude", "2"])
    #expect(json.lines == [#"{"format_version":1,"quakes":[{"id":"uu3","magnitude":1.25}]}"#])
    let lines = try run("quakes", ["list", "--ndjson", "--fields", "id,depth_km", "--limit", "2"])
    #expect(lines.lines == [#"{"id":"uu3","depth_km":-1.2}"#, #"{"id":"us2","depth_km":550.5}"#])
    let text = try run(
      "quakes", ["list", "--template", "{id}\\t{magnitude} {place}", "--sort", "depth", "--limit", "1"])
    #expect(text.lines == ["us2\t Fiji"])
    let other = try run("quakes", ["list", "--ndjson", "id,depth", "--limit", "1"])
    #expect(other.lines == [#"{"id":"uu3","depth_km":-1.2}"#])
    #expect(try run("quakes", ["list", "--ndjson", "2"]).lines.count == 2)
    let mistyped = try run("quakes", ["list", "--json", "id,magnitde"])
    #expect(mistyped.errorText.contains("did you mean magnitude?"), "\(mistyped.errorText)")
    for wrong in [["--fields", "id,size"], ["--template", "{id"], ["--template", "{id}", "--json"]] {
      #expect(try run("quakes", ["list"] + wrong).status == 2, "\(wrong)")
    }
  }

  private static let forms = [
    ("list --json id,magnitude --limit 1", #"{"format_version":1,"quakes":[{"id":"uu3","magnitude":1.25}]}"#),
    ("list --json=id --limit 1", #"{"format_version":1,"quakes":[{"id":"uu3"}]}"#),
    ("--limit 1 --json id", #"{"format_version":1,"quakes":[{"id":"uu3"}]}"#),
    ("list --ndjson id,type --limit 1", #"{"id":"uu3","type":"quarry blast"}"#),
    ("near us1 --ndjson id", #"{"id":"us1"}"#), ("near --ndjson id us1", #"{"id":"us1"}"#),
    ("near --ndjson us1 --fields id", #"{"id":"us1"}"#),
    ("show --json magnitude,place us1", #"{"format_version":1,"quake":{"magnitude":4.5,"place":"Skopje"}}"#),
    ("show us1 --json id", #"{"format_version":1,"quake":{"id":"us1"}}"#),
  ].sampled(every: 2)

  @Test(arguments: forms) func `field names may follow the format option`(_ words: String, _ line: String) throws {
    let found = try run("quakes", words.split(separator: " ").map(String.init))
    #expect(found.lines == [line], "\(found.errorText)")
  }

  @Test func `a format option without field names prints all fields`() throws {
    for words in [["list", "--json", "--limit", "5"], ["show", "--json", "us1"], ["--json"]] {
      let found = try run("quakes", words)
      #expect(found.status == 0 && found.lines.joined().contains(#""depth_km":10"#), "\(words): \(found)")
    }
    for words in ["list --json size", "show --json id,size us1", "list --json=", "stats --json id"] {
      #expect(try run("quakes", words.split(separator: " ").map(String.init)).status == 2, "\(words)")
    }
  }

  @Test(arguments: [
    ("--near 42.5,21 --within 100km", "us1"), ("--min-depth 100", "us2"), ("--text skopje --min-mag 4", "us1"),
    ("--box 170,-30,-170,-10", "us2"), ("--near us2", "us2"),
  ]) func `changes are filtered`(_ words: String, _ id: String) throws {
    let found = try run("quakes", ["changes"] + words.split(separator: " ").map(String.init))
    #expect(found.lines.count == 2 && found.lines[0].hasPrefix("LEARNT"), "\(found)")
    #expect(found.lines.last?.contains("  new        \(id)  ") == true, "\(found)")
    guard Thoroughness.isFull || id == "us1" else { return }
    #expect(try run("quakes", ["changes", "--until", "1h"]).lines.isEmpty)
  }

  @Test func `an empty list names the filter that matches nothing`() throws {
    let list = try run("quakes", ["list", "--type", "earthquake", "--min-magnitude", "7"])
    #expect(list.lines.isEmpty)
    #expect(list.errorText.contains("the store has 3 earthquakes, of these none of magnitude 7.0 and above"))
  }
}

extension ReadingTests {
  @Test func `the largest and the nearest earthquakes come first`() throws {
    let top = try run("quakes", ["top", "--since", "2017-01-01", "--template", "{id}"])
    #expect(top.lines == ["us1", "uu3", "us2"], "\(top.errorText)")
    let near = try run("quakes", ["near", "us2", "--within", "20000km", "--template", "{id} {distance_km}"])
    #expect(near.lines.first == "us2 0" && near.lines.last?.hasPrefix("us1 ") == true, "\(near.lines)")
    let south = try run("quakes", ["near", "--template", "{id}", "--", "-18.2,-179.5"])
    #expect(south.lines == ["us2"], "\(south.errorText)")
    for words in ["near -18.2,-179.5 --template {id}", "near --template {id} -18.2,-179.5"] {
      let found = try run("quakes", words.split(separator: " ").map(String.init))
      #expect(found.lines == ["us2"], "\(words): \(found.errorText)")
    }
    let nowhere = try run("quakes", ["near", "Nowhere at all"])
    #expect(nowhere.status == 3 && nowhere.errorText.contains("Nowhere at all"))
  }

  @Test func `aftershocks are later and nearby`() throws {
    let usual = try run("quakes", ["aftershocks", "us1", "--template", "{id}"])
    #expect(usual.lines.isEmpty && usual.errorText.contains("within 35 km"), "\(usual.errorText)")
    let wide = ["aftershocks", "us1", "--days", "1", "--within", "20000km", "--template", "{id}"]
    #expect(try run("quakes", wide).lines == ["uu3", "us2"])
    let unknown = try run("quakes", ["aftershocks", "us2"])
    #expect(unknown.status == 3 && unknown.errorText.contains("--days and --within"), "\(unknown.errorText)")
    #expect(try run("quakes", ["aftershocks", "us77"]).status == 3)
  }

  @Test func `statistics count the matching earthquakes`() throws {
    let text = try run("quakes", ["stats"])
    #expect(text.lines.first == "3 earthquakes on 2017-07-14 (UTC):", "\(text.errorText)")
    #expect(text.lines.contains { $0.hasPrefix("largest   M 4.5 Skopje") })
    #expect(text.lines.contains("b-value   too few: 1 earthquake with a magnitude, 50 required"), "\(text.lines)")
    #expect(text.lines.contains("others    quarry blast 1: counted above, but not for energy and b-value"))
    #expect(text.lines.contains { $0.hasPrefix("light     4 to 5   1  ") })
    let json = try run("quakes", ["stats", "--json", "--as-of", "2017-08-01", "--max-magnitude", "2"])
    let object = try JSONSerialization.jsonObject(with: Data(json.lines.joined().utf8)) as? [String: Any]
    #expect(object?["count"] as? Int == 1)
    #expect(((object?["largest"] as? [String: Any])?["id"] as? String) == "uu3")
  }

  @Test func `statistics name the days that they cover`() throws {
    let later = try home.write(
      "later.geojson",
      #"{"type":"Feature","properties":{"mag":1,"time":1500200000000,"net":"us","code":"4"},"#
        + #""geometry":{"type":"Point","coordinates":[1,2,3]},"id":"us4"}"#)
    #expect(
      try run("quakes-fetch", ["--once", later]).lines == ["\(later): 1 event: 1 new, 0 changed, 0 unchanged, 0 bad"])
    func heading(_ words: [String]) throws -> String? { try run("quakes", ["stats", "--utc"] + words).lines.first }
    #expect(try heading([]) == "4 earthquakes from 2017-07-14 to 2017-07-16, by day (UTC):")
    #expect(try heading(["--days", "2"]) == "4 earthquakes from 2017-07-14 to 2017-07-16; the last 2 days (UTC):")
    #expect(try heading(["--since", "2017-07-15"]) == "1 earthquake on 2017-07-16 (UTC):")
  }

  @Test func `a failing feed is reported once`() throws {
    // A file is not a feed.
    let gone = home.url.appendingPathComponent("gone.geojson").path
    #expect(try run("quakes-fetch", ["--once", gone]).status != 0)
    #expect(try run("quakes", ["list"]).errorText.isEmpty)
    // No process listens on this privileged port.
    #expect(try run("quakes-fetch", ["--once", "http://127.0.0.1:1/feed"]).status == 5)
    for command in [
      "list --since 2017-01-01", "top --since 2017-01-01", "stats", "near us1", "aftershocks us1 --within 20000km",
      "map --since 2017-01-01", "show us1", "changes", "export",
    ] {
      let result = try run("quakes", command.split(separator: " ").map(String.init))
      #expect(result.status == 0 && !result.lines.isEmpty, "\(command): \(result.errorText)")
      let reports = result.errorText.split(separator: "\n").filter {
        $0.contains("http://127.0.0.1:1/feed: failing since 2")
      }
      #expect(reports.count == 1, "\(command): \(result.errorText)")
      #expect(reports.first?.components(separatedBy: "127.0.0.1:1/feed").count == 2, "\(reports)")
    }
    // A reason that several feeds share is reported once.
    for name in ["all_hour", "all_day"] {
      let fetch = try run("quakes-fetch", ["--once", "--base-url", "http://127.0.0.1:1", name])
      #expect(fetch.status == 5)
    }
    let list = try run("quakes", ["list"])
    #expect(list.errorText.contains("quakes: 3 feeds: failing since 2") && !list.errorText.contains("feed:"))
    #expect(list.errorText.contains(": cannot reach the service: "), "\(list.errorText)")
    for command in ["list", "show us1", "export"] {
      let arguments = command.split(separator: " ").map(String.init) + ["--as-of", "2017-08-01"]
      #expect(try run("quakes", arguments).errorText.isEmpty, "\(command)")
    }
  }

  @Test func `mistyped commands and arguments are reported`() throws {
    for (words, message) in [
      ("lst", "there is no command \"lst\"; did you mean list?"), ("help nosuch", "there is no command \"nosuch\""),
      ("us1", "\"quakes show\" takes IDs"),
      ("near 95,20", "\"95,20\" is not a position"), ("list --near 20,1000", "\"20,1000\" is not a position"),
      ("place add north 95,20", "\"95,20\" is not a position"),
    ] {
      let found = try run("quakes", words.split(separator: " ").map(String.init))
      #expect(found.status == 2 && found.errorText.contains(message), "\(words): \(found)")
    }
    #expect(try run("quakes", ["help"]).status == 0)
    #expect(try run("quakes", ["help", "list"]).status == 0)
  }
}

/// Display settings, which do not change machine-readable output.
extension ReadingTests {
  @Test func `units and time zones follow the options`() throws {
    let zone = ["TZ": "Europe/Berlin"]
    let local = try run("quakes", ["show", "us1", "--units", "mi", "--12h"], variables: zone)
    #expect(local.lines.contains { $0 == "time          2017-07-14 4:40:00 am CEST" }, "\(local.lines)")
    #expect(local.lines.contains("in UTC        2017-07-14 2:40:00 am UTC"))
    #expect(local.lines.contains("depth         6.2 mi"))
    let universal = try run("quakes", ["show", "us1", "--utc"], variables: zone)
    #expect(universal.lines.contains("local time    2017-07-14 04:40:00 CEST"), "\(universal.lines)")
    let tokyo = try run("quakes", ["list", "--zone", "Pacific/Kiritimati", "--near", "42,21", "--units=mi"])
    let line = " 4.5  2017-07-14 16:40:00 +14    6 mi     21 mi  us1  Skopje [yellow alert]"
    #expect(tokyo.lines.last == line, "\(tokyo.lines)")
    let stats = try run("quakes", ["stats", "--zone", "Asia/Tokyo"])
    #expect(stats.lines.first == "3 earthquakes on 2017-07-14 (JST):", "\(stats.errorText)")
  }

  @Test func `tables have the chosen columns`() throws {
    let list = try run("quakes", ["list", "--utc", "--columns", "id,time,mag,felt,status,place", "--near", "42,21"])
    #expect(
      list.lines == [
        "ID   TIME                      MAG  FELT  STATUS    PLACE",
        "us1  2017-07-14 02:40:00 UTC   4.5     3  reviewed  Skopje [yellow alert]",
      ], "\(list.errorText)")
    for command in ["top --since 2017-01-01", "near us1", "aftershocks us1 --within 20000km"] {
      let found = try run("quakes", command.split(separator: " ").map(String.init) + ["--columns", "net,type,id"])
      let start = found.lines.firstIndex { $0.split(separator: " ") == ["NETWORK", "TYPE", "ID"] }
      #expect(start.map { found.lines.count > $0 + 1 } == true, "\(found)")
    }
    let changes = try run("quakes", ["changes", "--min-mag", "4", "--columns", "mag,place,region"])
    let heading = "KIND        MAG  PLACE                  REGION  WHAT"
    #expect(changes.lines.first?.hasSuffix(heading) == true, "\(changes)")
    #expect(changes.lines.last?.contains("new         4.5  Skopje [yellow alert]  ") == true, "\(changes)")
    let watch = try Program("quakes", ["watch", "--columns", "id,depth"], home: home.url)
    let depths = ["ID           DEPTH", "uu3          -1 km", "us2         551 km", "us1          10 km"]
    #expect(watch.wait { $0 == depths }, "\(watch.lines)")
    watch.signal(SIGTERM)
    #expect(watch.status() == 0, "\(watch.lines) \(watch.errorText)")
  }

  @Test(arguments: [("80", "TIME WHEN STATUS ID PLACE"), ("40", "TIME PLACE")])
  func `chosen columns fit the terminal`(columns: String, heading: String) throws {
    let found = try run(
      "quakes", ["list", "--columns", "time,when,network,status,id,place"], variables: ["COLUMNS": columns])
    #expect(found.lines.first?.split(separator: " ").joined(separator: " ") == heading, "\(found)")
    #expect(found.lines.allSatisfy { $0.count <= Int(columns) ?? 0 })
  }

  private static let wrongColumns = [
    ("list --columns mag,deth", "unknown column \"deth\"; did you mean depth? The columns are magnitude, time, "),
    ("watch --columns nothing", "unknown column \"nothing\"; the columns are magnitude, time, "),
    ("list --columns id --json", "--columns is for tables"), ("changes --columns id --json", "exclude each other"),
    ("watch --columns id,marks", "The column marks does not apply to watch"),
  ]

  @Test(arguments: wrongColumns) func `columns that do not exist are refused`(words: String, reason: String) throws {
    let found = try run("quakes", words.split(separator: " ").map(String.init))
    #expect(found.status == 2 && found.errorText.contains(reason), "\(found.errorText)")
  }

  @Test func `display settings do not change machine-readable output`() throws {
    let options = ["--units", "mi", "--zone", "Asia/Tokyo", "--12h"]
    for command in [
      ["list", "--json"], ["show", "us1", "--json"], ["stats", "--json"], ["list", "--template", "{time}"],
    ] {
      #expect(try run("quakes", command).lines == run("quakes", command + options).lines, "\(command)")
    }
  }

  @Test(arguments: [["--zone", "Mars"], ["--units", "nm"], ["--utc", "--zone", "Asia/Tokyo"], ["--12h", "--24h"]])
  func `an invalid display option is refused`(options: [String]) throws {
    let list = try run("quakes", ["list"] + options)
    #expect(list.status == 2 && list.errorText.contains(options[0]), "\(list.errorText)")
  }
}
