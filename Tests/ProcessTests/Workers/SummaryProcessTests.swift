import Foundation
import StrataTestSupport
import Testing

/// The summary as status bars run it.
@Suite(.waitsForProcesses) struct SummaryProcessTests {
  private func feed(
    _ id: String, place: String, age: Int = 12, url: String = "https://example.org/us1", magnitude: Double = 6.1
  ) -> String {
    let now = Int(Date().timeIntervalSince1970)
    return """
      {"type":"FeatureCollection","metadata":{"generated":\(now * 1_000)},"features":[{"type":"Feature","properties":{
      "mag":\(magnitude),"place":"\(place)","time":\((now - age * 60 - 20) * 1_000),"updated":\(now * 1_000),"url":"\(url)"},
      "geometry":{"type":"Point","coordinates":[-174.5,-21.2,35.0]},"id":"\(id)"}]}
      """
  }

  private func fetch(_ text: String, into home: Home, named name: String = "feed.geojson") throws {
    let fetch = try Program("quakes-fetch", ["--once", try home.write(name, text)], home: home.url)
    #expect(fetch.status() == 0, "\(fetch.errorText)")
  }

  private func summary(_ home: Home, _ arguments: String...) throws -> (lines: [String], status: Int32?) {
    let program = try Program("quakes-summary", arguments, home: home.url)
    let status = program.status()
    return (program.lines, status)
  }

  private func storeFolder(_ home: Home) -> URL { home.url.appendingPathComponent("group.quakes") }

  @Test func `options define output and status for empty and stale stores`() throws {
    let home = try Home()
    #expect(try summary(home) == (["no quakes yet"], 0))
    #expect(try summary(home, "--when-none", "") == ([""], 0))
    #expect(try summary(home, "--fail-stale").status == 1)
    #expect(try summary(home, "--print-url").status == 3)
    try fetch(feed("us1", place: "Tonga", url: "https://example.org/a'b"), into: home)
    #expect(try summary(home, "--print-url") == (["https://example.org/a%27b"], 0))
    #expect(try summary(home, "--print-url", "--min-magnitude", "7").status == 3)
    #expect(try summary(home, "--template", "{magnitude} {place} {age}") == (["6.1 Tonga 12 min ago"], 0))
    #expect(try summary(home, "--fail-stale").status == 0)
    #expect(try summary(home, "--fail-stale", "--stale-after", "0m").status == 1)
    #expect(try summary(home, "--stale-after", "0m").lines.first?.hasSuffix(" · stale") == true)
    #expect(try summary(home, "--min-magnitude", "7", "--when-none", "calm") == (["calm"], 0))
  }

  @Test func `an urgent earthquake keeps the line for its hour`() throws {
    let home = try Home()
    try fetch(feed("us1", place: "Tonga", age: 40, magnitude: 6.8), into: home)
    try fetch(feed("us2", place: "Fiji", age: 5, magnitude: 4.9), into: home)
    #expect(try summary(home, "--template", "{magnitude} {place}") == (["6.8 Tonga"], 0))
    #expect(try summary(home, "--template", "{magnitude} {place}", "--as-of", "0m") == (["6.8 Tonga"], 0))
    let bar = try summary(home, "--format", "waybar").lines.joined()
    #expect(bar.components(separatedBy: "Tonga").last?.contains("Fiji") == true, "\(bar)")
    // A smaller urgent one does not replace it either.
    try fetch(feed("us3", place: "Samoa", age: 2, magnitude: 6.1), into: home)
    #expect(try summary(home, "--template", "{magnitude} {place}") == (["6.8 Tonga"], 0))
    try fetch(feed("us1", place: "Tonga", age: 70, magnitude: 6.8), into: home)
    #expect(try summary(home, "--template", "{magnitude} {place}") == (["6.1 Samoa"], 0))
  }

  @Test func `the default summary leaves out small earthquakes`() throws {
    let home = try Home()
    try fetch(feed("us1", place: "Geysers", age: 5, magnitude: 1.2), into: home)
    #expect(try summary(home) == (["no quakes of M 4.5 and above yet"], 0))
    #expect(try summary(home, "--when-none", "") == ([""], 0))
    #expect(try summary(home, "--min-magnitude", "7") == (["no quakes of M 7 and above yet"], 0))
    try fetch(feed("us2", place: "Tonga", age: 40, magnitude: 4.5), into: home)
    #expect(try summary(home, "--template", "{place}") == (["Tonga"], 0))
    for words in [["--min-magnitude", "0"], ["--min-magnitude", "any"]] {
      let program = try Program("quakes-summary", ["--template", "{place}"] + words, home: home.url)
      #expect(program.status() == 0 && program.lines == ["Geysers"], "\(program.errorText)")
    }
    let config = try home.write("config.toml", "[summary]\nmin_magnitude = 0\n")
    #expect(try summary(home, "--template", "{place}", "--config", config) == (["Geysers"], 0))
    let bar = try summary(home, "--format", "waybar").lines.joined()
    #expect(bar.contains("Tonga") && !bar.contains("Geysers"), "\(bar)")
    #expect(bar.contains("below M 4.5 in the last 24 hours"), "\(bar)")
    #expect(try !summary(home, "--format", "waybar", "--min-magnitude", "any").lines.joined().contains("below M"))
  }

  @Test func `a running worker without news is not stale`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed("us1", place: "Tonga"))
    let worker = try Program("quakes-fetch", ["--interval", "3600", file], home: home.url)
    #expect(worker.wait { !$0.isEmpty }, "\(worker.errorText)")
    #expect(try summary(home, "--fail-stale", "--stale-after", "0m").status == 0)
    worker.signal(SIGTERM)
    #expect(worker.status() == 0)
    #expect(try summary(home, "--fail-stale", "--stale-after", "0m").status == 1)
  }

  @Test func `a follower ends when its output pipe is closed`() throws {
    let home = try Home()
    try fetch(feed("us1", place: "Tonga"), into: home)
    // Only the reading end of the pipe is closed, and no write could fail.
    let shell = try Program(
      "sh", ["-c", "(\(Program.file("quakes-summary").path) --follow; echo ended >&2) | head -n 1"], home: home.url,
      file: URL(fileURLWithPath: "/bin/sh"))
    #expect(shell.wait { $0.count == 1 }, "\(shell.errorText)")
    let end = Date(timeIntervalSinceNow: 120)
    while !shell.errorText.contains("ended"), Date() < end { usleep(5_000) }
    #expect(shell.errorText.contains("ended"), "\(shell.errorText)")
    #expect(shell.status() == 0)
  }

  @Test(arguments: ["", "--follow", "--follow --format i3bar", "--print-url", "--help", "--version"])
  func `a full disk is reported`(arguments: String) throws {
    let home = try Home()
    try fetch(feed("us1", place: "Tonga"), into: home)
    let shell = try Program(
      "sh", ["-c", "exec \(Program.file("quakes-summary").path) \(arguments) >/dev/full"], home: home.url,
      file: URL(fileURLWithPath: "/bin/sh"))
    #expect(shell.status() == 74)
    #expect(shell.errorText == "quakes-summary: cannot write to standard output: No space left on device\n")
  }

  @Test func `a follower continues when its store is deleted or replaced`() throws {
    let home = try Home()
    let follower = try Program("quakes-summary", ["--follow", "--template", "{place}"], home: home.url)
    #expect(follower.wait { $0 == ["no quakes yet"] }, "\(follower.errorText)")
    // The follower reads the store at each full minute, and on SIGUSR1.
    try fetch(feed("us1", place: "Tonga"), into: home)
    follower.signal(SIGUSR1)
    #expect(follower.wait { $0.last == "Tonga" }, "\(follower.lines) \(follower.errorText)")
    try fetch(feed("us2", place: "Chile", age: 5), into: home, named: "second.geojson")
    #expect(follower.wait { $0.last == "Chile" }, "\(follower.lines) \(follower.errorText)")

    let store = storeFolder(home)
    try FileManager.default.removeItem(at: store)
    follower.signal(SIGUSR1)
    #expect(follower.wait { $0.last == "no quakes yet" }, "\(follower.lines) \(follower.errorText)")
    try fetch(feed("us3", place: "Peru"), into: home)
    follower.signal(SIGUSR1)
    #expect(follower.wait { $0.last == "Peru" }, "\(follower.lines) \(follower.errorText)")

    // The store is replaced between two reads, at first by a file that is not a store.
    try FileManager.default.removeItem(at: store)
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: store.path)
    let file = store.appendingPathComponent("Quakes.sqlite")
    try Data(repeating: 65, count: 8192).write(to: file)
    follower.signal(SIGUSR1)
    #expect(waitForError(of: follower, "the file is not an SQLite database"), "\(follower.lines) \(follower.errorText)")
    try FileManager.default.removeItem(at: file)
    try fetch(feed("us4", place: "Fiji"), into: home)
    follower.signal(SIGUSR1)
    #expect(follower.wait { $0.last == "Fiji" }, "\(follower.lines) \(follower.errorText)")
    try fetch(feed("us5", place: "Japan", age: 3), into: home, named: "second.geojson")
    #expect(follower.wait { $0.last == "Japan" }, "\(follower.lines) \(follower.errorText)")
    follower.signal(SIGTERM)
    #expect(follower.status() == -SIGTERM)
  }

  private func waitForError(of program: Program, _ text: String) -> Bool {
    let end = Date(timeIntervalSinceNow: 120)
    while !program.errorText.contains(text), Date() < end { usleep(5_000) }
    return program.errorText.contains(text)
  }

  @Test func `the stream for i3bar is JSON`() throws {
    let home = try Home()
    try fetch(feed("us1", place: "A \\\"q\\\" <b> \\u001b[2J"), into: home)
    let follower = try Program("quakes-summary", ["--follow", "--format", "i3bar"], home: home.url)
    #expect(follower.wait { $0.count >= 3 }, "\(follower.lines) \(follower.errorText)")
    let lines = follower.lines
    follower.signal(SIGTERM)
    _ = follower.status()
    #expect(lines.first == #"{"version":1,"click_events":true}"# && lines.dropFirst().first == "[")
    let text = lines.dropFirst().joined() + "[]]"
    let read = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[[String: Any]]])
    #expect(read.first?.first?["full_text"] as? String == #"M 6.1 A "q" <b>  12 min ago · 1 today"#)
  }

  /// A PATH with an `xdg-open` that writes its arguments to a file, one on each line, and also to its output.
  private func desktop(in home: Home) throws -> (path: String, opened: URL) {
    let folder = home.url.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let opened = home.url.appendingPathComponent("opened")
    let script = "#!/bin/sh\necho noise; cat\nfor word; do printf '%s\\n' \"$word\"; done >>\(opened.path)\n"
    let file = try home.write("bin/xdg-open", script)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file)
    let programs = Program.file("quakes-summary").deletingLastPathComponent().path
    return ("\(folder.path):\(programs):/usr/bin:/bin", opened)
  }

  private func waitForText(of file: URL) -> String {
    let end = Date(timeIntervalSinceNow: 120)
    while Date() < end {
      if let text = try? String(contentsOf: file, encoding: .utf8), text.hasSuffix("\n") { return text }
      usleep(5_000)
    }
    return ""
  }

  @Test(arguments: ["i3bar", "i3blocks"]) func `a left click opens the page that is shown`(form: String) throws {
    let home = try Home()
    try fetch(feed("us1", place: "Tonga", url: "https://example.org/a'$(touch x)"), into: home)
    let (path, opened) = try desktop(in: home)
    let clicks = """
      [
      {"name":"quakes","button":4,"x":1}
      ,{"name":"quakes","button":"1"}
      ,{"button":1e99}
      no JSON
      ,{"name":"quakes","modifiers":[],"button":1,"x":800,"y":190}

      """
    let follower = try Program(
      "quakes-summary", ["--follow", "--format", form], home: home.url, input: Data(clicks.utf8),
      variables: ["PATH": path])
    #expect(waitForText(of: opened) == "https://example.org/a%27%24%28touch%20x%29\n", "\(follower.errorText)")
    follower.signal(SIGTERM)
    #expect(follower.status() == -SIGTERM)
    #expect(!follower.lines.contains("noise"))
  }

  @Test func `the exit status reports urgency to i3blocks`() throws {
    let home = try Home()
    try fetch(feed("us1", place: "Tonga"), into: home)
    #expect(try summary(home, "--format", "i3blocks").status == 33)
    #expect(try summary(home, "--format", "plain").status == 0)
    #expect(try summary(home, "--format", "i3blocks", "--min-magnitude", "7").status == 0)
    #expect(try summary(home, "--format", "i3blocks", "--fail-stale", "--stale-after", "0m").status == 1)
  }

  /// The commands of `Workers/bars` that a click runs.
  @Test(
    arguments: [
      ("i3blocks.conf", #"(?m)^command=(.*)$"#, ["button": "1"]),
      ("i3blocks.conf", #"(?m)^command=(.*)$"#, ["BLOCK_BUTTON": "1"]),
      ("waybar.jsonc", #""on-click": "(.*)"\n"#, [:]), ("i3status-rust.toml", #"(?m)^cmd = "(.*)"$"#, [:]),
    ] as [(String, String, [String: String])])
  func `the configured command of each bar opens the page`(name: String, pattern: String, button: [String: String])
    throws
  {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let file = folder.appendingPathComponent("../../../Workers/bars/\(name)")
    let text = try String(contentsOf: file, encoding: .utf8)
    let match = try #require(try Regex(pattern, as: (Substring, Substring).self).firstMatch(in: text))
    let command = String(match.output.1).replacing(#"\""#, with: "\"")
    let home = try Home()
    try fetch(feed("us1", place: "Tonga", url: "https://example.org/a'b"), into: home)
    let (path, opened) = try desktop(in: home)
    func run(_ variables: [String: String]) throws -> [String] {
      let shell = try Program(
        "sh", ["-c", command], home: home.url, file: URL(fileURLWithPath: "/bin/sh"),
        variables: variables.merging(["PATH": path]) { _, given in given })
      _ = shell.status()
      return shell.lines
    }
    if let variable = button.keys.first {
      #expect(try run([:]).count == 3 && run([variable: "4"]).count == 3)
      #expect(!FileManager.default.fileExists(atPath: opened.path))
    }
    let lines = try run(button)
    #expect(try String(contentsOf: opened, encoding: .utf8) == "https://example.org/a%27b\n")
    if !button.isEmpty { #expect(lines.first == "M 6.1 Tonga 12 min ago · 1 today" && lines.count == 3) }
  }
}
