import Foundation
import StrataQuakes
import Testing

/// The screen's actions on one earthquake: marks, notes, its page and the map.
extension ScreenTests {
  @discardableResult
  private func run(_ arguments: String...) throws -> [String] {
    let program = try Program("quakes", arguments, home: home.url)
    #expect(program.status() == 0, "\(program.errorText)")
    return program.lines
  }

  @Test func `marks are set and shared with other processes`() throws {
    try fill()
    let pane = try open(shows: "1 of 40")
    func row(_ text: String) -> String { text.components(separatedBy: "\n").first { $0.contains("Place 1 of") } ?? "" }
    // The first mark creates the user's store.
    try run("star", "usn1")
    #expect(pane.wait { row($0).contains("★") }, "\(pane.text)")
    try pane.press("j", "*")
    #expect(pane.wait { row($0).hasPrefix(">") && !$0.contains("★") }, "\(pane.text)")
    try pane.press("*", "a")
    #expect(pane.wait { row($0).contains("★✓  2.1") }, "\(pane.text)")
    try pane.press("N")
    try pane.type("felt it")
    #expect(pane.wait(for: "note: felt it"), "\(pane.text)")
    try pane.press("Enter", "Enter")
    #expect(
      pane.wait { $0.contains("felt it") && $0.contains("starred, acknowledged") && $0.contains("position") },
      "\(pane.text)")
    #expect(try run("list", "--starred", "--noted").contains { $0.contains("Place 1 of") })
    #expect(try run("note", "usn1") == ["felt it"])
    try run("note", "usn1", "--remove")
    #expect(pane.wait { !$0.contains("felt it") && $0.contains("starred") }, "\(pane.text)")
    // A canceled note changes nothing.
    try pane.press("N")
    try pane.type("other")
    try pane.press("Escape")
    #expect(pane.wait { !$0.contains("note:") && $0.contains("q back") }, "\(pane.text)")
    try pane.press("a")
    #expect(pane.wait { !$0.contains("acknowledged") && $0.contains("starred") }, "\(pane.text)")
    try pane.press("Escape")
    #expect(pane.wait { row($0).contains("★   2.1") }, "\(pane.text)")
    #expect(try run("list", "--noted") == [])
  }

  @Test func `filters combine words, exclusions and marks`() throws {
    try fill()
    let pane = try open("--starred", shows: "no earthquake matches")
    // The first mark creates the user's store.
    try run("star", "usn5", "usn9")
    #expect(pane.wait { $0.contains("1 of 2") && $0.contains("Place 5") && $0.contains("Place 9") }, "\(pane.text)")
    // The row leaves the list, and the selection stays in its place.
    try pane.press("*")
    #expect(pane.wait { $0.contains("1 of 1 ") && $0.contains("> ★") && !$0.contains("Place 5") }, "\(pane.text)")
    try pane.press("/", "C-u")
    try pane.type("(starred or mag>5.5) -\"place 38\"")
    #expect(pane.wait(for: "1 of 4 "), "\(pane.text)")
    try pane.type(" or")
    #expect(pane.wait { $0.contains("or needs a filter on both sides") && $0.contains("1 of 4 ") }, "\(pane.text)")
    try pane.press("C-u")
    try pane.type("unacknowledged mag>5.5")
    #expect(pane.wait(for: "1 of 4 "), "\(pane.text)")
    try pane.press("Enter", "a")
    #expect(pane.wait { $0.contains("1 of 3 ") && !$0.contains("Place 36") }, "\(pane.text)")
    try run("ack", "--all", "--remove")
    #expect(pane.wait { $0.contains("of 4 ") && $0.contains("Place 36") }, "\(pane.text)")
    try pane.press("/", "C-u")
    try pane.type("starred not mag>0")
    #expect(
      pane.wait { text in
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.contains("of these 1 starred, of these none not of magnitude")
      }, "\(pane.text)")
  }

  @Test func `marks that cannot be saved are reported`() throws {
    try fill()
    // A folder with the name of the store.
    try FileManager.default.createDirectory(
      at: home.url.appendingPathComponent("group.quakes/Personal.sqlite"), withIntermediateDirectories: true)
    let pane = try open(shows: "1 of 40")
    try pane.press("j", "*")
    #expect(pane.wait { $0.contains("2 of 40") && $0.contains("cannot use the store of your places") }, "\(pane.text)")
    try pane.press("Escape")
    #expect(pane.wait { $0.contains("2 of 40") && $0.contains("q quit") })
  }

  @Test func `the page opens in a browser that may use the terminal`() throws {
    try fetch([
      event("one", "Somewhere", minutesAgo: 2, page: "https://example.org/one"),
      event("two", "Elsewhere", minutesAgo: 3, longitude: 10),
    ])
    let browser = try home.write("browser", "#!/bin/sh\necho reading $1\nread line\necho $line >\"$HOME\"/typed\n")
    #expect(chmod(browser, 0o700) == 0)
    let pane = try open(shows: "1 of 2", variables: ["BROWSER": browser])
    try pane.press("o")
    #expect(pane.wait { $0.contains("reading https://example.org/one") && !pane.isAlternateScreen }, "\(pane.text)")
    // Control-C ends the shell that waits for a line, and not the screen.
    try pane.press("C-c")
    #expect(pane.wait { $0.contains("1 of 2") && $0.contains("no browser opened") }, "\(pane.text)")
    try pane.press("o")
    // The output of the first browser is still there.
    #expect(pane.wait { $0.components(separatedBy: "reading ").count == 3 }, "\(pane.text)")
    try pane.run("a line")
    #expect(pane.wait { $0.contains("1 of 2") && !$0.contains("no browser") }, "\(pane.text)")
    #expect(try String(contentsOf: home.url.appendingPathComponent("typed"), encoding: .utf8) == "a line\n")
    try pane.press("j", "o")
    #expect(pane.wait { $0.contains("2 of 2") && $0.contains("does not have a page") }, "\(pane.text)")
    try pane.press("q")
    try expectRestored(pane)
  }

  @Test func `what a graphical browser writes does not disturb the screen`() throws {
    try fetch([event("one", "Somewhere", minutesAgo: 2, page: "https://example.org/one")])
    let script = """
      #!/bin/sh
      test -t 0 || echo "$1" >"$HOME/opened"
      (sleep 1; echo noise; echo from a browser >&2; touch "$HOME/written"; sleep 60) &
      """
    let browser = try home.write("browser", script)
    #expect(chmod(browser, 0o700) == 0)
    let pane = try open(shows: "1 of 1", variables: ["BROWSER": browser, "DISPLAY": ":0"])
    try pane.press("o")
    #expect(pane.wait(for: "opening https://example.org/one"), "\(pane.text)")
    let written = home.url.appendingPathComponent("written").path
    #expect(pane.wait { _ in FileManager.default.fileExists(atPath: written) })
    try pane.press("j")
    #expect(
      pane.wait { $0.contains("from a browser") && $0.hasPrefix("Quakes") && !$0.contains("noise") }, "\(pane.text)")
    #expect(
      try String(contentsOf: home.url.appendingPathComponent("opened"), encoding: .utf8) == "https://example.org/one\n")
    try pane.press("j")
    #expect(pane.wait { !$0.contains("from a browser") && $0.contains("q quit") }, "\(pane.text)")
    try pane.press("q")
    #expect(pane.waitForPrompt() && pane.text.contains("noise"), "\(pane.text)")
  }

  @Test func `the map shows the list and the selection`() throws {
    let plates = #"{"features":[{"geometry":{"type":"LineString","coordinates":[[-170,-60],[-120,-60]]}}]}"#
    let reference = home.url.appendingPathComponent("Reference.sqlite").path
    let cities = "785842\tSkopje\tNorth Macedonia\t\t41.99646\t21.43141\t474889\n"
    let built = try Program(
      "quakes-reference", [reference, "--plates", try home.write("plates.json", plates)], home: home.url,
      input: Data(cities.utf8))
    #expect(built.status() == 0, "\(built.errorText)")
    try ReferenceWriter.write(to: URL(fileURLWithPath: reference)) { context in
      ReferenceWriter.addLand(GeoBox("-22,-80,-18,80")!, isDetailed: true, to: context)
    }
    try fetch([
      event("west", "In the west", magnitude: 5.1, minutesAgo: 2, longitude: -150),
      event("east", "In the east", magnitude: 6.5, minutesAgo: 90, longitude: -20),
      event("small", "A small one", magnitude: 1.5, minutesAgo: 180, longitude: 60),
    ])
    let pane = try open(
      "--min-magnitude 2", shows: "1 of 2", columns: 100, rows: 30,
      variables: ["QUAKES_REFERENCE": reference, "NO_COLOR": "1"])
    /// Returns the map without its legend.
    func map(_ text: String) -> String {
      text.components(separatedBy: "\n").filter { $0.hasPrefix("│") }.joined(separator: "\n")
    }
    try pane.press("m")
    #expect(
      pane.wait { map($0).contains("[○]") && map($0).contains("◎") && map($0).contains("⠉⠉⠉") }, "\(pane.text)")
    #expect(pane.text.contains("M 5.1 In the west · ") && !map(pane.text).contains("·"))
    try pane.press("n")
    #expect(pane.wait { map($0).contains("[◎]") && $0.contains("M 6.5 In the east") && $0.contains("2 of 2") })
    // Zoomed in, the selected earthquake is in the center, and the other one is out of view.
    try pane.press("+", "+", "+")
    #expect(pane.wait { map($0).contains("[◎]") && !map($0).contains("○") && $0.contains("20°W") }, "\(pane.text)")
    // Two meridians that only the details have.
    try pane.press("+", "+")
    #expect(pane.wait { map($0).contains("⡇") || map($0).contains("⢸") }, "\(pane.text)")
    try pane.press("-", "-")
    #expect(pane.wait { !map($0).contains("⡇") && !map($0).contains("⢸") }, "\(pane.text)")
    try pane.press("p")
    #expect(pane.wait { map($0).contains("[○]") && $0.contains("150°W") && $0.contains("1 of 2") }, "\(pane.text)")
    try pane.press("Right", "Right", "Right", "Up")
    #expect(pane.wait { !map($0).contains("○") && $0.contains("In the west") }, "\(pane.text)")
    try pane.press("0")
    #expect(pane.wait { map($0).contains("[○]") && map($0).contains("◎") && $0.contains("180°") }, "\(pane.text)")
    // A commit appears, and the selection stays.
    try fetch([event("fresh", "Just now", magnitude: 7.5, minutesAgo: 1, longitude: 100)])
    #expect(pane.wait { map($0).contains("●") && map($0).contains("[○]") && $0.contains("2 of 3") }, "\(pane.text)")
    try pane.resize(columns: 40, rows: 12)
    #expect(
      pane.wait { text in
        let lines = text.components(separatedBy: "\n").filter { !$0.isEmpty }
        return map(text).contains("[○]") && lines.allSatisfy { $0.count <= 40 } && lines.last?.contains("quit") == true
      }, "\(pane.text)")
    try pane.press("Enter")
    #expect(pane.wait { $0.contains("position") && $0.contains("In the west") }, "\(pane.text)")
    try pane.press("Escape")
    #expect(pane.wait { map($0).contains("[○]") })
    try pane.press("m", "G", "Enter", "m")
    #expect(pane.wait { map($0).contains("[◎]") && $0.contains("In the east") }, "\(pane.text)")
    try pane.press("Escape")
    #expect(pane.wait(for: "position"))
    try pane.press("Escape")
    #expect(pane.wait(for: "3 of 3"))
    try pane.press("q")
    try expectRestored(pane)
  }
}
