import Foundation
import StrataTestSupport
import Testing

/// The screen of `quakes` in a real terminal.
@Suite(.waitsForProcesses) struct ScreenTests {
  let home: Home
  private let quakes = Program.file("quakes").path

  init() throws {
    home = try Home()
  }

  /// An earthquake of a made-up feed.
  func event(
    _ id: String, _ place: String, magnitude: Double = 4.5, minutesAgo: Int, longitude: Double = -174.5,
    page: String = ""
  ) -> String {
    let time = (Int(Date().timeIntervalSince1970) - minutesAgo * 60) * 1000
    return """
      {"type":"Feature","properties":{"mag":\(magnitude),"magType":"mw","place":"\(place)","time":\(time),
      "updated":\(time + 1000),"status":"reviewed","type":"earthquake","net":"us","code":"\(id)","title":"\(place)",
      "url":"\(page)"},
      "geometry":{"type":"Point","coordinates":[\(longitude),-21.2,35.0]},"id":"us\(id)"}
      """.replacingOccurrences(of: "\n", with: "")
  }

  func fetch(_ events: [String], variables: [String: String] = [:]) throws {
    let feed = """
      {"type":"FeatureCollection","metadata":{"generated":\(Int(Date().timeIntervalSince1970) * 1000)},"features":[\
      \(events.joined(separator: ","))]}
      """
    let program = try Program(
      "quakes-fetch", ["--once", "-"], home: home.url, input: Data(feed.utf8), variables: variables)
    #expect(program.status() == 0, "\(program.errorText)")
  }

  func fill() throws {
    try fetch(
      (0..<40).map { event("n\($0)", "Place \($0) of many", magnitude: 2 + Double($0) / 10, minutesAgo: 60 * ($0 + 1)) }
    )
  }

  /// A shell in which the settings of the terminal are recorded and the screen is open.
  func open(
    _ arguments: String = "", shows part: String, columns: Int = 80, rows: Int = 24,
    variables: [String: String] = [:]
  ) throws -> TerminalPane {
    let pane = try TerminalPane(home, columns: columns, rows: rows, variables: variables)
    try #require(pane.waitForPrompt())
    // The typed command does not contain the word that it prints.
    try pane.run("stty -g >before; echo rea''dy")
    try #require(pane.wait(for: "ready"))
    try pane.run("\(quakes) \(arguments)")
    try #require(pane.wait(for: part), "\(pane.text)")
    return pane
  }

  /// Expects that the shell has its screen and its settings back.
  func expectRestored(_ pane: TerminalPane, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(pane.waitForPrompt(), "\(pane.text)", sourceLocation: sourceLocation)
    try pane.run("clear; stty -g >after; cmp before after && echo the' 'same")
    #expect(pane.wait(for: "the same"), "\(pane.text)", sourceLocation: sourceLocation)
  }

  @Test func `keys move in the list, open an item and go back`() throws {
    try fill()
    let pane = try open(shows: "1 of 40")
    try pane.press("j", "j", "Down", "k")
    #expect(pane.wait(for: "3 of 40"))
    try pane.press("G")
    #expect(pane.wait { $0.contains("40 of 40") && $0.contains("Place 39") })
    try pane.press("g", "Enter")
    #expect(pane.wait { $0.contains("position") && $0.contains("usn0") }, "\(pane.text)")
    try pane.press("h")
    #expect(pane.wait { $0.contains("KIND") && $0.contains("new") })
    try pane.press("Escape")
    #expect(pane.wait(for: "1 of 40"))
    try pane.press("s")
    #expect(pane.wait(for: "largest first"))
    try pane.press("?")
    #expect(pane.wait(for: "choose a saved view"))
    try pane.press("q")
    #expect(pane.wait { $0.contains("of 40") && $0.contains("q quit") }, "\(pane.text)")
    try pane.press("q")
    try expectRestored(pane)
  }

  @Test func `a filter narrows the list while it is typed`() throws {
    try fill()
    let pane = try open("--min-magnitude 3", shows: "mag>=3")
    #expect(pane.wait(for: "1 of 30"), "\(pane.text)")
    try pane.press("/")
    try pane.type("mag>=5")
    #expect(pane.wait(for: "1 of 10"), "\(pane.text)")
    try pane.type(" depth<x")
    #expect(pane.wait(for: "depth needs a number"), "\(pane.text)")
    try pane.press("Escape")
    #expect(pane.wait { $0.contains("of 30") && !$0.contains("depth") })
    try pane.press("/")
    try pane.type("place 12")
    try pane.press("Enter")
    #expect(
      pane.wait { $0.contains("1 of 1 ") && $0.contains("Place 12 of many") && $0.contains("quit") }, "\(pane.text)")
    #expect(pane.text.contains("Esc clear"))
    try pane.press("Escape")
    #expect(pane.wait { $0.contains("of 40") && !$0.contains("clear") }, "\(pane.text)")
  }

  @Test func `on a tall terminal, the details are below the list`() throws {
    try fill()
    let pane = try open(shows: "1 of 40", columns: 120, rows: 40)
    try pane.press("Enter")
    #expect(
      pane.wait { $0.contains("1 of 40") && $0.contains("───") && $0.contains("usn0") && !$0.contains("more line") },
      "\(pane.text)")
    try pane.press("j", "h")
    #expect(pane.wait { $0.contains("2 of 40") && $0.contains("usn1") && $0.contains("KIND") }, "\(pane.text)")
    try pane.press("G")
    #expect(pane.wait { $0.contains("40 of 40") && $0.contains("usn39") && $0.contains("KIND") }, "\(pane.text)")
    try pane.resize(columns: 80, rows: 24)
    #expect(pane.wait { !$0.contains("40 of 40") && $0.contains("usn39") }, "\(pane.text)")
  }

  @Test func `keys are those of the settings`() throws {
    try fill()
    let config = try home.write("config.toml", "[keys]\nquit = \"x\"\nback = \"e\"\nhelp = \"H\"\n")
    let pane = try open("--config \(config)", shows: "1 of 40", rows: 50)
    #expect(pane.wait(for: "H help  x quit"), "\(pane.text)")
    try pane.press("Enter")
    #expect(pane.wait { $0.contains("position") && $0.contains("e back") }, "\(pane.text)")
    try pane.press("q", "e", "H")
    #expect(pane.wait { $0.contains("x Ctrl-C") && $0.contains("quit") }, "\(pane.text)")
    try pane.press("e", "q", "x")
    try expectRestored(pane)
    _ = try home.write("config.toml", "[keys]\nquti = \"x\"\n")
    try pane.run("clear; \(quakes) --config \(config); echo sta''tus $?")
    #expect(
      pane.wait { $0.contains("keys.quti (line 2) is not a command; did you mean quit?") && $0.contains("status 78") })
    let check = try Program("quakes", ["config", "check", "--config", config], home: home.url)
    #expect(check.status() == 78 && check.errorText.contains("keys.quti"))
  }

  @Test func `another order starts at the top`() throws {
    try fill()
    let pane = try open(shows: "1 of 40")
    func row(_ text: String) -> String { text.components(separatedBy: "\n").first { $0.hasPrefix(">") } ?? "" }
    try pane.press("G")
    #expect(pane.wait { $0.contains("40 of 40") && row($0).contains("Place 39") }, "\(pane.text)")
    try pane.press("r")
    #expect(pane.wait { $0.contains("1 of 40 · oldest first") && row($0).contains("Place 39") }, "\(pane.text)")
    try pane.press("j", "s")
    #expect(pane.wait { $0.contains("1 of 40 · smallest first") && row($0).contains("Place 0 of") }, "\(pane.text)")
    // Moving the selection keeps the order.
    try pane.press("j")
    #expect(pane.wait { $0.contains("2 of 40") && row($0).contains("Place 1 of") }, "\(pane.text)")
  }

  @Test func `views are chosen by number and saved`() throws {
    try fill()
    let config = try home.write(
      "config.toml",
      "# mine\n[views]\nlarge = \"mag>=5\"\ndeep = { filter = \"depth<70 mag<3\", sort = \"magnitude\" }\n")
    let pane = try open("--config \(config) --view large --max-magnitude 5.5", shows: "large: mag>=5 mag<=5.5")
    #expect(pane.wait(for: "1 of 6 "), "\(pane.text)")
    try pane.press("1")
    #expect(pane.wait { $0.contains("Quakes · large: mag>=5 ") && $0.contains("1 of 10") }, "\(pane.text)")
    try pane.press("v", "j", "Enter")
    #expect(
      pane.wait { $0.contains("Quakes · deep: depth<70") && $0.contains("1 of 10") && $0.contains("largest first") },
      "\(pane.text)")
    try pane.press("v")
    #expect(pane.wait { $0.contains("> 1  large  mag>=5") && $0.contains("  2  deep   ") }, "\(pane.text)")
    try pane.press("1")
    #expect(pane.wait { $0.contains("Quakes · large: mag>=5 ") && $0.contains("newest first") }, "\(pane.text)")
    try pane.press("3")
    #expect(pane.wait(for: "the settings have 2 views; w saves"), "\(pane.text)")
    try pane.press("/", "C-u")
    try pane.type("place 12")
    try pane.press("Enter", "r", "w")
    #expect(pane.wait(for: "Enter saves the filter"), "\(pane.text)")
    try pane.type("deep")
    try pane.press("Enter")
    #expect(pane.wait(for: "Enter replaces it"), "\(pane.text)")
    try pane.press("C-u")
    try pane.type("my own")
    try pane.press("Enter")
    #expect(pane.wait { $0.contains("saved as \"my own\"") && $0.contains("my own: place 12") }, "\(pane.text)")
    #expect(
      try String(contentsOfFile: config, encoding: .utf8).hasSuffix(
        "sort = \"magnitude\" }\n\"my own\" = { filter = \"place 12\", reverse = true }\n"))
    try pane.press("Escape")
    #expect(pane.wait { $0.contains("of 40") && $0.contains("newest first") && !$0.contains("my own") }, "\(pane.text)")
    try pane.press("q")
    try expectRestored(pane)
    let list = try Program("quakes", ["list", "5", "--config", config, "--view", "deep"], home: home.url)
    #expect(list.status() == 0 && list.lines.count == 6 && list.lines[1].contains("Place 9 of"), "\(list.lines)")
    let unknown = try Program("quakes", ["list", "--config", config, "--view", "dep"], home: home.url)
    #expect(unknown.status() == 2 && unknown.errorText.contains("its views are \"deep\", \"large\""))
  }

  @Test func `a commit of another process appears and the selection stays`() throws {
    try fill()
    let pane = try open(shows: "1 of 40")
    try pane.press("j", "j")
    #expect(pane.wait { $0.contains(">") && $0.contains("3 of 40") })
    try fetch([event("fresh", "Fresh Island", magnitude: 6.6, minutesAgo: 1)])
    #expect(
      pane.wait { $0.contains("Fresh Island") && $0.contains("4 of 41") && $0.contains("u 1 new") }, "\(pane.text)")
    #expect(pane.text.components(separatedBy: "\n").contains { $0.hasPrefix("> ") && $0.contains("Place 2 of many") })
    try pane.press("u")
    #expect(pane.wait { $0.contains("1 of 41") })
  }

  @Test func `the death of the worker is shown immediately`() throws {
    try fill()
    let file = home.url.appendingPathComponent("group.quakes/quakes-fetch.pid")
    // The file is created while the screen is open.
    let pane = try open(shows: "1 of 40")
    try Data("1234567\n".utf8).write(to: file)
    #expect(pane.wait(for: "the worker died (process 1234567)"), "\(pane.text)")
    try Data().write(to: file)
    #expect(pane.wait { !$0.contains("died") && $0.contains("1 of 40") }, "\(pane.text)")
  }

  @Test func `histories are wrapped and hidden lines are counted`() async throws {
    try fetch([event("n1", "Somewhere", minutesAgo: 60)])
    // The next body is from a later second.
    try await Task.sleep(for: .seconds(1.1))
    try fetch([event("n1", "A place with a name that is longer than the one before", magnitude: 5, minutesAgo: 60)])
    let pane = try open(shows: "1 of 1", rows: 40)
    try pane.press("Enter", "h")
    #expect(
      pane.wait { text in
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.contains("KIND") && words.contains("longer than the one before") && !words.contains("more line")
      }, "\(pane.text)")
    try pane.resize(columns: 80, rows: 12)
    #expect(pane.wait(for: "more lines: j"), "\(pane.text)")
    try pane.press("G")
    #expect(pane.wait { !$0.contains("more line") && $0.contains("Somewhere") }, "\(pane.text)")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGUSR1].sampled(every: 2))
  func `a signal restores the terminal`(number: Int32) throws {
    try fill()
    let pane = try open(shows: "1 of 40")
    #expect(pane.isAlternateScreen)
    kill(try #require(pane.job), number)
    try expectRestored(pane)
  }

  @Test func `the screen stops and continues`() throws {
    try fill()
    let pane = try open(shows: "1 of 40")
    for _ in 0..<2 {
      let job = try #require(pane.job)
      try pane.press("C-z")
      try expectRestored(pane)
      // In the background, it stops again instead of reading the shell's keys.
      kill(job, SIGCONT)
      try pane.run("clear; fg")
      #expect(pane.wait { $0.contains("1 of 40") && $0.contains("q quit") }, "\(pane.text)")
    }
    try pane.press("q")
    try expectRestored(pane)
  }

  /// A mark opens the store of marks a second time and closes it.
  @Test func `the screen is idle after a mark`() async throws {
    try fill()
    let pane = try open(shows: "1 of 40")
    try pane.press("*")
    #expect(pane.wait(for: "★"), "\(pane.text)")
    let job = try #require(pane.job)
    let switches = { try Program.switches(of: job) }
    // A thread may end or a minute may pass, but not every time.
    var sleeps = false
    for _ in 0..<20 where !sleeps {
      let before = try switches()
      try await Task.sleep(for: .seconds(2.5))
      sleeps = try switches() == before
    }
    #expect(sleeps)
  }

  /// Each signal redraws the screen.
  @Test func `keys are not lost to SIGCONT`() throws {
    try fill()
    let pane = try open(shows: "1 of 40")
    let job = try #require(pane.job)
    for _ in 0..<30 {
      kill(job, SIGCONT)
      try pane.press("j")
      kill(job, SIGCONT)
    }
    #expect(pane.wait(for: "31 of 40"), "\(pane.text)")
    try pane.press("q")
    try expectRestored(pane)
  }

  @Test func `the screen is restored after a SIGSTOP`() throws {
    try fill()
    let pane = try open(shows: "1 of 40")
    kill(try #require(pane.job), SIGSTOP)
    // The shell's message is next to the foot, where little of it fits.
    #expect(pane.wait(for: "[1]"), "\(pane.text)")
    // In a plain shell, Enter (Control-M) is not translated to the end of a line.
    try pane.type("stty sane; clear; fg")
    try pane.press("C-j")
    #expect(pane.wait { $0.contains("1 of 40") && $0.contains("q quit") }, "\(pane.text)")
    try pane.press("q")
    #expect(pane.waitForPrompt(), "\(pane.text)")
  }

  @Test func `the screen fits the terminal`() throws {
    try fill()
    let pane = try open(shows: "1 of 40", columns: 100, rows: 30)
    try pane.press("G")
    for (columns, rows) in [(120, 40), (40, 12), (20, 5)] {
      try pane.resize(columns: columns, rows: rows)
      #expect(
        pane.wait { text in
          let lines = text.components(separatedBy: "\n").filter { !$0.isEmpty }
          return lines.count == rows && lines[0].hasPrefix("Quakes") && lines[rows - 1].contains("quit")
            && lines[rows - 2].hasPrefix(">")
        }, "\(columns) × \(rows): \(pane.text)")
    }
    try pane.resize(columns: 19, rows: 4)
    #expect(pane.wait(for: "too small"))
    try pane.resize(columns: 80, rows: 24)
    #expect(pane.wait(for: "40 of 40"))
  }

  @Test func `the screen has the chosen columns`() throws {
    try fill()
    let pane = try open("--columns place,mag,status", shows: "1 of 40")
    func line(_ number: Int) -> String { pane.text.components(separatedBy: "\n")[number] }
    let heading = "  PLACE" + String(repeating: " ", count: 60) + "MAG  STATUS"
    #expect(pane.wait { _ in line(1) == heading }, "\(pane.text)")
    #expect(line(2).hasPrefix("> Place 0 of many ") && line(2).hasSuffix(" 2.0  reviewed"), "\(pane.text)")
    try pane.press("j", "G")
    #expect(pane.wait { $0.contains("40 of 40") && line(1) == heading }, "\(pane.text)")
    try pane.press("q")
    try #require(pane.waitForPrompt())
    try pane.run("clear; \(quakes) --utc")
    #expect(pane.wait { $0.contains("TIME") && $0.contains("UTC") && !$0.contains("WHEN") }, "\(pane.text)")
    try pane.resize(columns: 100, rows: 24)
    #expect(pane.wait { $0.contains("WHEN        TIME") && $0.contains(" h ago ") }, "\(pane.text)")
  }

  @Test(arguments: [40, 60]) func `on a narrow screen the clock time leaves room for the place`(columns: Int) throws {
    try fill()
    let pane = try open("--12h --utc", shows: "1 of 40", columns: columns)
    #expect(pane.wait { $0.contains("TIME") && $0.contains("Place 0 of many") }, "\(pane.text)")
    #expect(pane.text.contains("UTC") == (columns == 60))
  }

  @Test func `messages are shown whole`() throws {
    try fill()
    let config = home.url.appendingPathComponent("a folder with a long name").appendingPathComponent("config.toml").path
    try FileManager.default.createDirectory(
      atPath: (config as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try "[views]\na = \"mag>=5\"\n".write(toFile: config, atomically: true, encoding: .utf8)
    let pane = try open("--config '\(config)'", shows: "1 of 40")
    func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    try pane.press("w")
    try pane.type("mine")
    try pane.press("Enter")
    #expect(pane.wait { words($0).contains("saved as \"mine\" in \(config) ") }, "\(pane.text)")
    #expect(pane.text.contains("1 of 40") && pane.text.contains("q quit"))
    try "[views]\na = 5\n".write(toFile: config, atomically: true, encoding: .utf8)
    try pane.press("v")
    let mistake = "views.a (line 2) must be a filter such as \"mag>=6 since:7d\", or a table, not 5"
    #expect(pane.wait { words($0).contains("\(config): \(mistake)") }, "\(pane.text)")
    try pane.press("/")
    try pane.type("mag>=5 (tonga or fiji) or near:Tokyo within:100km")
    #expect(
      pane.wait { words($0).contains("put it before the others, as in near:Tokyo (mag>=5 or felt)") }, "\(pane.text)")
    try pane.press("Escape", "q")
    try expectRestored(pane)
  }

  @Test func `a long paste does not block the screen`() throws {
    try fill()
    let pane = try open(shows: "1 of 40")
    let file = try home.write("paste", String(repeating: "many places of mag ", count: 11_000))
    try pane.press("/")
    #expect(pane.wait(for: "/"), "\(pane.text)")
    // Whether or not the terminal says that it is a paste.
    for isMarked in [true, false] {
      try pane.paste(file: file, isMarked: isMarked)
      let start = Date()
      #expect(pane.wait { $0.contains("mag many places") }, "\(pane.text)")
      try pane.press("C-u")
      try pane.type("place 12")
      #expect(pane.wait { $0.contains("1 of 1 ") && $0.contains("/place 12") }, "\(pane.text)")
      #expect(Date().timeIntervalSince(start) < 120)
      try pane.press("C-u")
      #expect(pane.wait(for: " of 40"), "\(pane.text)")
    }
    try pane.press("Escape", "q")
    try expectRestored(pane)
  }

  @Test func `without a store, the screen says why and waits for one`() throws {
    let pane = try open(shows: "quakes workers start")
    try fill()
    #expect(pane.wait(for: "1 of 40"), "\(pane.text)")
    try FileManager.default.removeItem(at: home.url.appendingPathComponent("group.quakes"))
    try pane.press("j")
    #expect(pane.wait(for: "there is no store"), "\(pane.text)")
    try fetch([event("again", "Another store", minutesAgo: 5)])
    #expect(pane.wait(for: "Another store"), "\(pane.text)")
  }

  @Test func `place names cannot control the terminal`() throws {
    try fetch([event("bad", "A\\u001b]0;x\\u0007\\u009b2J\\u001b[2J\\r\\nforged\\u202eB", minutesAgo: 3)])
    let pane = try open(shows: "forged")
    #expect(
      pane.text.components(separatedBy: "\n").contains { $0.contains("A ]0;x   forged B") }, "\(pane.text)")
    try pane.press("Enter")
    #expect(pane.wait { $0.contains("position") && $0.hasPrefix("M 4.5 A ]0;x") }, "\(pane.text)")
  }

  @Test func `the list is printed where a screen is not possible`() throws {
    try fill()
    let pane = try TerminalPane(home, columns: 100, rows: 40)
    try #require(pane.waitForPrompt())
    for line in [
      "TERM=dumb \(quakes)", "\(quakes) | cat", "\(quakes) </dev/null", "\(quakes) list", "\(quakes) --limit 25",
    ] {
      try pane.run("clear; \(line); echo sta''tus $?")
      #expect(pane.wait { $0.contains("status 0") && $0.contains("Place 24 of many") }, "\(line): \(pane.text)")
      #expect(!pane.text.contains("q quit"))
    }
  }

  @Test func `output to standard error does not disturb the screen`() throws {
    try fill()
    let pane = try open(shows: "1 of 40", variables: ["COREDATA_SQL_DEBUG": "1"])
    try pane.press("j")
    #expect(pane.wait { $0.contains("2 of 40") && $0.hasPrefix("Quakes") }, "\(pane.text)")
    try pane.press("q")
    #expect(pane.waitForPrompt() && pane.text.contains("CoreData"), "\(pane.text)")
  }

  @Test func `a hang-up of the terminal ends the screen`() throws {
    try fill()
    var pane: TerminalPane? = try open(shows: "1 of 40")
    let job = try #require(pane?.job)
    pane = nil
    let end = Date(timeIntervalSinceNow: 120)
    while kill(job, 0) == 0, Date() < end { usleep(20_000) }
    #expect(kill(job, 0) != 0)
  }
}
