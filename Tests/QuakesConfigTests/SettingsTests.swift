import Foundation
import StrataQuakes
import Testing

@testable import StrataQuakesConfig

/// Settings read from a file.
@Suite("The settings file") struct SettingsTests {
  /// A temporary folder, removed at the end.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("quakes-config-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private func read(_ text: String) throws -> (settings: Settings, warning: String?) {
    let folder = try Folder()
    let url = folder.url.appendingPathComponent("config.toml")
    try Data(text.utf8).write(to: url)
    var warning: String?
    let settings = try SettingsFile(option: url.path, environment: { _ in nil }).settings { warning = $0 }
    return (settings, warning)
  }

  private func mistake(_ text: String) -> String {
    do {
      _ = try read(text)
      return "none"
    } catch let failure as Failure {
      return failure.status == .configuration ? failure.message : "\(failure.status)"
    } catch {
      return "\(error)"
    }
  }

  @Test func `all settings are read`() throws {
    let (settings, warning) = try read(
      """
      [display]
      units = "mi"
      time = "Asia/Tokyo"
      clock = 12
      color = "never"
      pager = "most -s"
      [list]
      limit = 0
      sort = "magnitude"
      place = "nearest"
      columns = ["mag", "time"]
      min_magnitude = 4
      since = "7d"
      [summary]
      format = "xbar"
      template = "{place}"
      max_width = 40
      min_magnitude = 4.5
      when_none = ""
      stale_after = "2h"
      [fetch]
      feeds = ["all_hour", "4.5_week"]
      interval = 300
      """)
    #expect(warning == nil)
    #expect(settings[Settings.units] == .miles && settings[Settings.clock] == .hours12)
    #expect(settings[Settings.time] == DisplayZone(name: "Asia/Tokyo"))
    #expect(settings[Settings.color] == .never && settings[Settings.pager] == .command("most -s"))
    #expect(settings[Settings.limit] == 0 && settings[Settings.sort] == .magnitude)
    #expect(settings[Settings.place] == .nearest && settings[Settings.listMinimumMagnitude] == 4)
    #expect(settings[Settings.columns]?.map(\.name) == ["magnitude", "time"])
    #expect(settings[Settings.listSince] == "7d" && settings[Settings.format] == .swiftbar)
    #expect(try settings[Settings.template] == SummaryTemplate("{place}") && settings[Settings.maximumWidth] == 40)
    #expect(settings[Settings.summaryMinimumMagnitude] == 4.5 && settings[Settings.whenNone] == "")
    let length = try #require(settings[Settings.staleAfter])
    #expect(abs(length - 7200) < 0.001)
    #expect(settings[Settings.feeds] == ["all_hour", "4.5_week"] && settings[Settings.interval] == 300)
  }

  @Test func `a byte order mark before the settings is not a part of them`() throws {
    for end in ["\n", "\r\n"] {
      let text = "\u{FEFF}[display]\(end)units = \"mi\"\(end)[list]\(end)limit = -1\(end)"
      #expect(mistake(text).contains("list.limit (line 4) must be"), "\(mistake(text))")
      #expect(try read("\u{FEFF}[display]\(end)units = \"mi\"\(end)").settings[Settings.units] == .miles)
    }
    #expect(try read("\u{FEFF}").settings[Settings.units] == nil)
    #expect(try read("\u{FEFF}list.limit = 3").settings[Settings.limit] == 3)
  }

  @Test func `columns that are listed twice are there once`() throws {
    let settings = try read("[list]\ncolumns = [\"mag\", \"id\", \"magnitude\"]").settings
    #expect(settings[Settings.columns]?.map(\.name) == ["magnitude", "id"])
  }

  @Test func `a view that cannot be saved is reported with the reason`() throws {
    let folder = try Folder()
    let file = folder.url.appendingPathComponent("file")
    try Data().write(to: file)
    let settings = SettingsFile(option: file.appendingPathComponent("a.toml").path, environment: { _ in nil })
    let failure = #expect(throws: Failure.self) { try settings.save(SavedView("big", filter: "")) }
    let reasons = [ENOTDIR, EEXIST].map { "cannot be written: \(Failure.systemError($0))" }
    #expect(reasons.contains { failure?.message.hasSuffix($0) == true }, "\(failure?.message ?? "")")
  }

  @Test func `any magnitude is not the default`() throws {
    #expect(try read("").settings[Settings.summaryMinimumMagnitude] == Double??.none)
    let any = try read("[summary]\nmin_magnitude = \"any\"").settings
    #expect(any[Settings.summaryMinimumMagnitude] == .some(nil))
  }

  @Test func `the manual explains each setting`() {
    let text = SettingsFile.manual.replacing("\\-", with: "-").replacing("\\e", with: "\\")
    let lines = text.split(separator: "\n").map(String.init)
    for row in Settings.all + (Settings.filterWords as [any SettingRow]) {
      let firstSentence = String(row.help.prefix { $0 != "." }) + "."
      let example = "\(row.defaultValue == nil ? "For example" : "Default"): \(row.name) = \(row.example)"
      #expect(lines.contains(".It Cm \(row.name)") && lines.contains(example), "\(row.key)")
      #expect(lines.contains(firstSentence), "\(row.key)")
    }
    #expect(lines.contains("Overridden by $QUAKES_PAGER."))
    // The formatter takes a line that begins with an apostrophe as a request.
    #expect(!lines.contains { $0.hasPrefix("'") })
  }

  @Test func `the sample is valid with and without its comment marks`() throws {
    let (silent, nothing) = try read(SettingsFile.sample)
    #expect(nothing == nil && Settings.all.allSatisfy { silent.value(of: $0) == nil })
    // Uncomments each line that is a setting and not a sentence.
    let lines = SettingsFile.sample.split(separator: "\n").map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : String(line)
    }
    let (all, warning) = try read(lines.joined(separator: "\n"))
    #expect(warning == nil)
    for row in Settings.all { #expect(all.value(of: row)?.text == row.example, "\(row.key)") }
    #expect(all.words(ofFilter: "big").map(\.name) == Settings.filterWords.map(\.name))
    #expect(try read("").settings.filterNames.isEmpty)
  }

  @Test func `a filter becomes command-line options`() throws {
    let settings = try read(
      """
      [filter.big]
      min-magnitude = 6
      min_depth = -1.5
      text = "a b"
      felt = true
      retracted = false
      """
    ).settings
    #expect(
      try settings.arguments(ofFilter: "big") == ["--min-magnitude=6.0", "--min-depth=-1.5", "--text=a b", "--felt"])
    #expect(throws: Failure.self) { try settings.arguments(ofFilter: "small") }
  }

  @Test func `views are read in the order of the file`() throws {
    let text = """
      [views]
      zoo = "mag>=5"
      all = { filter = "", sort = "mag", reverse = true }
      [views.deep]
      filter = "depth>300"
      """
    let settings = try read(text).settings
    let views = settings.views(in: SettingLines(of: text))
    #expect(
      views == [
        SavedView("zoo", filter: "mag>=5"), SavedView("all", filter: "", order: .magnitude, isReversed: true),
        SavedView("deep", filter: "depth>300"),
      ])
    let failure = #expect(throws: Failure.self) { try settings.view(named: "zo") }
    #expect(failure?.message.contains("its views are \"all\", \"deep\", \"zoo\"") == true)
    #expect(try read("[views.a]\nfilters = \"\"").warning?.contains("views.a.filters") == true)
    for view in views { #expect(try read("[views]\n\(view.line)").settings.view(named: view.name) == view) }
  }

  static let savings = [
    ("", "\n[views]\nbig = \"mag>=6\"\n"),
    ("[list]\nlimit = 5 # mine", "[list]\nlimit = 5 # mine\n\n[views]\nbig = \"mag>=6\"\n"),
    (
      "[views] # mine\na = \"x\" # one\n\n# of lists\n[list]\n",
      "[views] # mine\na = \"x\" # one\nbig = \"mag>=6\"\n\n# of lists\n[list]\n"
    ),
    ("[views]\nbig = \"mag>=5\" # old\nb = \"y\"\n", "[views]\nbig = \"mag>=6\" # old\nb = \"y\"\n"),
    (
      "[views]\n\tbig = \"#1 # 2\"\t# \\\"3\\\" # 4\r\nb = 'y'\r\n",
      "[views]\n\tbig = \"mag>=6\"\t# \\\"3\\\" # 4\r\nb = 'y'\r\n"
    ),
    (
      "[views]\nbig = { filter = '#', sort = \"depth\" }#c\n", "[views]\nbig = \"mag>=6\"#c\n"
    ),
    ("\u{FEFF}[views]\na = \"x\"\n", "\u{FEFF}[views]\na = \"x\"\nbig = \"mag>=6\"\n"),
    ("\u{FEFF}# mine\n", "\u{FEFF}# mine\n\n[views]\nbig = \"mag>=6\"\n"),
    ("[list]\n[ views ]\n", "[list]\n[ views ]\nbig = \"mag>=6\"\n"),
    ("views = { a = \"x\" }\n", nil), ("[views.big]\nfilter = \"x\"\n", nil),
    ("x = \"\"\"\n[views]\n\"\"\"\n", "x = \"\"\"\n[views]\n\"\"\"\n\n[views]\nbig = \"mag>=6\"\n"),
    ("[views]\nlast = \"x\"", "[views]\nlast = \"x\"\nbig = \"mag>=6\"\n"), ("[views", nil),
  ]

  @Test(arguments: savings) func `a saved view leaves all else in the file`(text: String, expected: String?) throws {
    let folder = try Folder()
    let (url, link) = (folder.url.appendingPathComponent("real.toml"), folder.url.appendingPathComponent("config.toml"))
    try Data(text.utf8).write(to: url)
    #expect(chmod(url.path, 0o640) == 0)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    let file = SettingsFile(option: link.path, environment: { _ in nil })
    let view = SavedView("big", filter: "mag>=6")
    if expected == nil {
      let failure = #expect(throws: Failure.self) { try file.save(view) }
      #expect(failure?.status == .configuration)
    } else {
      try file.save(view)
    }
    // A byte order mark is not a part of what Foundation reads as text.
    #expect(try String(decoding: Data(contentsOf: url), as: UTF8.self) == expected ?? text)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["config.toml", "real.toml"])
  }

  @Test func `the first view is saved in the sample`() throws {
    let folder = try Folder()
    let file = SettingsFile(option: folder.url.appendingPathComponent("a/b.toml").path, environment: { _ in nil })
    let view = SavedView("a \"b\"", filter: "type:\"quarry blast\" 日", order: .depth, isReversed: true)
    try file.save(view)
    #expect(try file.settings().view(named: view.name) == view)
    #expect(try String(contentsOf: file.url, encoding: .utf8).hasPrefix(SettingsFile.sample))
  }

  static let mistakes = [
    ("[views]\nbig = 5", "views.big (line 2) must be a filter such as"),
    ("[views]\nbig = { sort = \"x\" }", "views.big.sort (line 2) must be \"time\", \"magnitude\""),
    ("[views.big]\nfilter = 1\nreverse = 1", "views.big.reverse (line 3) must be true or false, not 1"),
    ("[display]\n\nunits = \"nm\"", "display.units (line 3) must be \"km\" or \"mi\", not \"nm\""),
    ("[display]\nunits = 1\nclock = \"12\"", "display.clock (line 3) must be 12 or 24, not \"12\""),
    ("display = 1", "display (line 1) must be a table, as [display], not 1"),
    ("[list]\nsince = 2026-11-20", "not a date or time without quotes"),
    ("[list]\nlimit = -1", "not -1"), ("[list]\nlimit = 1.5", "not 1.5"), ("[list]\nmin_magnitude = nan", "not nan"),
    ("[list]\nsort = \"distance\"", "list.sort (line 2)"), ("[display]\ntime = \"Mars\"", "display.time (line 2)"),
    ("[fetch]\nfeeds = [\n  \"all_day\",\n  1,\n]\ninterval = 0", "fetch.feeds (line 2)"),
    ("[fetch]\nfeeds = [\n  \"all_day\",\n]\ninterval = 0", "fetch.interval (line 5)"),
    ("[summary]\nmin_magnitude = \"all\"", "summary.min_magnitude (line 2) must be a number or \"any\", not \"all\""),
    ("[list]\ncolumns = [\"id\", \"deth\"]", "list.columns (line 2) must be a list of columns"),
    ("[list]\ncolumns = [\"deth\"]", "unknown column \"deth\"; did you mean depth? The columns are magnitude, "),
    ("[list]\ncolumns = []", "list.columns (line 2)"), ("[list]\ncolumns = \"id\"", "list.columns (line 2)"),
    ("[filter.big]\nmin_magnitude = \"5\"", "filter.big.min_magnitude (line 2) must be a number, not \"5\""),
    ("[filter]\nbig = 5", "filter.big (line 2) must be a table"),
    (
      "[filter.big]\nmin_magnitude = 5\nmin-magnitude = 6",
      "filter.big.min_magnitude (line 2) is given twice: min-magnitude and min_magnitude are the same"
    ),
    ("[display]\nunits = km", "is not valid TOML at line 2, column 9"), ("[display\n", "is not valid TOML at line 1"),
    ("[display]\nunits = \"km\"\nunits = \"mi\"", "is not valid TOML at line 3"),
    ("[=", "is not valid TOML at line 1, column 2"), ("[display]\n [[ é]]", "is not valid TOML at line 2, column 5"),
    ("[\n", "is not valid TOML at line 1, column 2"), ("\u{FEFF}[ #", "is not valid TOML at line 1"),
    ("[[]]", "is not valid TOML at line 1"),
    ("[fetch]\nfeeds = [\n[+1],\n[é]", "is not valid TOML at line 4"), ("[", "is not valid TOML at line 1"),
    (String(repeating: "[=\n", count: 9), "is not valid TOML at line 1, column 2"),
    ("a = [\n" + String(repeating: "[+1],\n", count: 101) + "]", "is not valid TOML at line 102"),
    ("[fetch]\nfeeds = [\n[+1]\n]", "fetch.feeds (line 2) must be a list of feeds, not [[1]]"),
    ("limit = 99999999999999999999", "is not valid TOML at line 1"), ("a = \"\u{0}\"", "is not text in UTF-8"),
  ]

  @Test(arguments: mistakes) func `mistakes are reported with their position`(text: String, words: String) {
    #expect(mistake(text).contains(words), "\(mistake(text))")
  }

  @Test func `unknown settings are reported and do not affect others`() throws {
    let (settings, warning) = try read("[display]\nunit = 1\nunits = \"mi\"\n[colours]\nred = 1\n[filter.a]\nb = 1")
    #expect(settings[Settings.units] == .miles)
    let words = try #require(warning)
    for word in ["\"colours\" (line 4)", "\"display.unit\" (line 2)", "\"filter.a.b\" (line 7)"] {
      #expect(words.contains(word), "\(words)")
    }
  }

  @Test func `the option and the environment select the settings file`() {
    func path(_ option: String?, _ variables: [String: String]) -> String {
      SettingsFile(option: option, environment: { variables[$0] }).url.path
    }
    #expect(path("/a", ["QUAKES_CONFIG": "/b"]) == "/a")
    #expect(path(nil, ["QUAKES_CONFIG": "/b", "XDG_CONFIG_HOME": "/c"]) == "/b")
    #expect(path(nil, ["XDG_CONFIG_HOME": "/c", "HOME": "/d"]) == "/c/quakes/config.toml")
    #expect(path(nil, ["XDG_CONFIG_HOME": "c", "HOME": "/d"]) == "/d/.config/quakes/config.toml")
  }

  @Test func `only an explicitly named file must exist`() throws {
    let folder = try Folder()
    let missing = folder.url.appendingPathComponent("none.toml").path
    #expect(throws: Failure.self) { try SettingsFile(option: missing, environment: { _ in nil }).settings() }
    let usual = SettingsFile(environment: { $0 == "HOME" ? folder.url.path : nil })
    #expect(try usual.settings()[Settings.units] == nil)
    #expect(throws: Failure.self) { try SettingsFile(option: folder.url.path, environment: { _ in nil }).settings() }
  }

  @Test func `written values are read back`() throws {
    let text = "a \"b\" \\ \u{1} \n é"
    let written = "[summary]\nwhen_none = \(SettingValue.text(text).text)\n[filter.\(SettingValue.key(text))]\n"
    let settings = try read(written).settings
    #expect(settings[Settings.whenNone] == text && settings.filterNames == [text])
  }
}
