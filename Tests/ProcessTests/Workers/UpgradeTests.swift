import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// Programs that run while newer ones are installed and migrate their store.
@Suite(.waitsForProcesses, .serialized) struct UpgradeTests {
  private let home: Home

  init() throws { home = try Home() }

  /// A feed with one earthquake; each has its own position, so that no two are joined.
  private func feed(_ number: Int, name: String = "feed.geojson") throws -> String {
    let now = Int(Date().timeIntervalSince1970) * 1000
    return try home.write(
      name,
      """
      {"type":"FeatureCollection","metadata":{"generated":\(now)},"features":[{"type":"Feature","properties":{
      "mag":5.\(number),"place":"Place \(number)","time":\(now - 600_000 + number * 1000),"updated":\(now)},
      "geometry":{"type":"Point","coordinates":[\(number * 10),-21.2,35.0]},"id":"us\(number)"}]}
      """)
  }

  private func waitForError(_ text: String, of program: Program) -> Bool {
    program.wait { _ in program.errorText.contains(text) }
  }

  /// Without the framework's own warning, that it cannot follow a store of another model.
  private func errors(of program: Program) -> [Substring] {
    program.errorText.split(separator: "\n").filter { !$0.hasPrefix("CoreData: warning: ") }
  }

  private func imports(_ program: Program) -> Int { program.lines.filter { $0.contains("1 new") }.count }

  /// Starts an earlier worker that has imported a feed.
  private func startWorker(_ programs: Installation, interval: Int) throws -> Program {
    let worker = try programs.start("quakes-fetch", "--interval", "\(interval)", try feed(1))
    #expect(worker.wait { $0.contains { $0.contains("1 new") } }, "\(worker.errorText)")
    return worker
  }

  private func expectUpgrade(
    _ programs: Installation, _ name: String, of process: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let end = Date(timeIntervalSinceNow: 120)
    while !programs.isCurrent(name, in: process), Date() < end { usleep(5_000) }
    #expect(programs.isCurrent(name, in: process), sourceLocation: sourceLocation)
  }

  @Test func `a worker continues as its newer version with its lock and schedule`() throws {
    let programs = try Installation("quakes-fetch", in: home)
    let worker = try startWorker(programs, interval: 20)
    let first = Date()
    _ = try feed(2)
    try programs.upgrade("quakes-fetch")
    #expect(!programs.isCurrent("quakes-fetch", in: worker.identifier))
    try programs.fetch(feed(3, name: "other.geojson"), isEarlier: false)
    expectUpgrade(programs, "quakes-fetch", of: worker.identifier)
    #expect(
      worker.lines.filter { $0.contains("a newer version has migrated the store; continuing as version") }.count == 1)
    let second = try Program("quakes-fetch", [feed(2)], home: home.url)
    #expect(second.status() == 75 && second.errorText.contains("process \(worker.identifier)"), "\(second.errorText)")
    #expect(worker.wait { _ in imports(worker) == 2 }, "\(worker.lines) \(worker.errorText)")
    // The next poll does not come before its time.
    #expect(Date().timeIntervalSince(first) >= 19, "\(worker.lines)")
    #expect(errors(of: worker) == [])
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(worker.lines) \(worker.errorText)")
    #expect(try Program("quakes", ["workers", "status"], home: home.url).status() == 3)
  }

  @Test func `a poll that finds the store migrated is repeated by the newer version`() throws {
    let programs = try Installation("quakes-fetch", in: home)
    let worker = try startWorker(programs, interval: 3600)
    try programs.fetch(feed(3, name: "other.geojson"), isEarlier: false)
    try programs.upgrade("quakes-fetch")
    _ = try feed(2)
    worker.signal(SIGUSR1)
    #expect(worker.wait { _ in imports(worker) == 2 }, "\(worker.lines) \(worker.errorText)")
    #expect(
      programs.isCurrent("quakes-fetch", in: worker.identifier) && errors(of: worker) == [], "\(worker.errorText)")
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(worker.lines) \(worker.errorText)")
  }

  @Test func `a worker keeps its lock and takes signals after an upgrade without its folder`() throws {
    let programs = try Installation("quakes-fetch", in: home)
    let worker = try startWorker(programs, interval: 3600)
    try programs.upgrade("quakes-fetch")
    try programs.fetch(feed(3, name: "other.geojson"), isEarlier: false)
    expectUpgrade(programs, "quakes-fetch", of: worker.identifier)
    worker.signal(SIGSTOP)
    defer { worker.signal(SIGKILL) }
    try FileManager.default.removeItem(at: home.url.appendingPathComponent("group.quakes"))
    let second = try Program("quakes-fetch", [feed(2)], home: home.url)
    #expect(second.status() == 75 && second.errorText.contains("process \(worker.identifier)"), "\(second.errorText)")
    worker.signal(SIGTERM)
    worker.signal(SIGCONT)
    #expect(worker.status() == 0, "\(worker.lines) \(worker.errorText)")
  }

  @Test func `signals during an upgrade are not lost`() throws {
    let programs = try Installation("quakes-fetch", in: home)
    let worker = try startWorker(programs, interval: 3600)
    try programs.upgrade("quakes-fetch")
    try programs.fetch(feed(3, name: "other.geojson"), isEarlier: false)
    // The line is printed right before the execution.
    #expect(worker.wait { $0.contains { $0.contains("continuing as version") } }, "\(worker.errorText)")
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(worker.lines) \(worker.errorText)")
  }

  /// The signal comes when the former version has begun to check the newer one, after the log was renamed.
  @Test func `a worker that is told to reload during an upgrade does so as its newer version`() throws {
    let programs = try Installation("quakes-fetch", in: home)
    let log = home.url.appendingPathComponent("log").path
    let line = "exec '\(programs.file("quakes-fetch").path)' --daemon --interval 3600 '\(try feed(1))' >>'\(log)' 2>&1"
    let worker = try Program(
      "sh", ["-c", line], home: home.url, file: URL(fileURLWithPath: "/bin/sh"))
    func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    #expect(worker.wait { _ in text(log).contains("1 new") }, "\(text(log))")
    let current = Program.file("quakes-fetch").path
    try programs.replace(
      "quakes-fetch",
      withScript: """
        if [ "$1" = --version ] && [ ! -e '\(log).1' ]; then mv '\(log)' '\(log).1'; kill -HUP $PPID; fi
        exec '\(current)' "$@"
        """)
    try programs.fetch(feed(3, name: "other.geojson"), isEarlier: false)
    #expect(worker.wait { _ in text(log).contains("reloaded") }, "\(text(log)) \(text(log + ".1"))")
    #expect(text(log + ".1").contains("continuing as version") || text(log).contains("continuing as version"))
    #expect(!text(log + ".1").contains("reloaded"))
    #expect(FileIdentity("/proc/\(worker.identifier)/exe") == FileIdentity(current))
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(text(log))")
  }

  @Test(arguments: [
    ("echo no version", "755", "\"--version\" printed no version in time; install it again if that stays so"),
    ("exit 1", "755", "printed no version in time"),
    ("echo 1.2.3", "777", "other users can write to it"), ("echo 1.2.3", "644", "it is not a program"),
  ])
  func `a file that cannot be executed is reported once, and the worker goes on`(
    script: String, mode: String, reason: String
  ) throws {
    let programs = try Installation("quakes-fetch", in: home)
    let worker = try startWorker(programs, interval: 1)
    try programs.replace("quakes-fetch", withScript: script, mode: mode)
    try programs.fetch(feed(3, name: "other.geojson"), isEarlier: false)
    #expect(waitForError(reason, of: worker), "\(worker.errorText)")
    _ = try feed(2)
    #expect(waitForError("was migrated to another version of the model", of: worker), "\(worker.errorText)")
    #expect(worker.errorText.components(separatedBy: reason).count == 2, "\(worker.errorText)")
    worker.signal(SIGTERM)
    #expect(worker.status() == 0)
  }

  @Test func `a status bar's lines continue after an upgrade`() throws {
    let programs = try Installation("quakes-fetch", "quakes-summary", in: home)
    try programs.fetch(feed(1), isEarlier: true)
    let bar = try programs.start("quakes-summary", "--follow", "--format", "i3bar", "--template", "{place}")
    #expect(bar.wait { $0.last?.contains("Place 1") == true }, "\(bar.lines) \(bar.errorText)")
    try programs.upgrade("quakes-summary")
    try programs.fetch(feed(2), isEarlier: false)
    expectUpgrade(programs, "quakes-summary", of: bar.identifier)
    #expect(bar.wait { $0.last?.contains("Place 2") == true }, "\(bar.lines) \(bar.errorText)")
    try programs.fetch(feed(3), isEarlier: false)
    #expect(bar.wait { $0.last?.contains("Place 3") == true }, "\(bar.lines) \(bar.errorText)")
    bar.signal(SIGUSR1)
    bar.signal(SIGTERM)
    #expect(bar.status() == -SIGTERM)
    #expect(
      errors(of: bar) == []
        && bar.lines.allSatisfy { $0.contains("Place") || $0.hasPrefix("{\"version\"") || $0 == "[" })
    let text = bar.lines.dropFirst().joined() + "[]]"
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [[[String: Any]]], "\(bar.lines)")
  }

  @Test func `a bar keeps its line while its newer version is not installed yet`() throws {
    let programs = try Installation("quakes-fetch", "quakes-summary", in: home)
    try programs.fetch(feed(1), isEarlier: true)
    let bar = try programs.start("quakes-summary", "--follow", "--template", "{place}")
    #expect(bar.wait { $0 == ["Place 1"] || $0 == ["Place 1 · stale"] }, "\(bar.lines) \(bar.errorText)")
    try programs.fetch(feed(2), isEarlier: false)
    #expect(waitForError("belongs to another version", of: bar), "\(bar.errorText)")
    try programs.upgrade("quakes-summary")
    bar.signal(SIGUSR1)
    #expect(bar.wait { $0.last?.hasPrefix("Place 2") == true }, "\(bar.lines) \(bar.errorText)")
    #expect(programs.isCurrent("quakes-summary", in: bar.identifier) && bar.lines.allSatisfy { $0.hasPrefix("Place") })
    bar.signal(SIGTERM)
    #expect(bar.status() == -SIGTERM)
  }

  @Test func `the output of watch and idle continues after an upgrade`() throws {
    let programs = try Installation("quakes-fetch", "quakes", in: home)
    try programs.fetch(feed(1), isEarlier: true)
    let watch = try programs.start("quakes", "watch")
    let idle = try programs.start("quakes", "idle", "new", "--loop", "--timeout", "3600")
    #expect(watch.wait { $0.contains { $0.contains("Place 1") } }, "\(watch.errorText)")
    // It follows once it watches the store.
    #expect(idle.wait { _ in hasWatches(idle.identifier) })
    try programs.upgrade("quakes")
    try programs.fetch(feed(2), isEarlier: false)
    for program in [watch, idle] { expectUpgrade(programs, "quakes", of: program.identifier) }
    try programs.fetch(feed(3), isEarlier: false)
    #expect(watch.wait { $0.last?.contains("Place 3") == true }, "\(watch.lines) \(watch.errorText)")
    #expect(watch.lines.filter { $0.contains("Place") }.count == 3, "\(watch.lines)")
    #expect(idle.wait { $0 == ["new us2 5.2 Place 2", "new us3 5.3 Place 3"] }, "\(idle.lines) \(idle.errorText)")
    watch.signal(SIGTERM)
    idle.signal(SIGTERM)
    #expect(watch.status() == 0 && idle.status() == -SIGTERM && errors(of: watch) + errors(of: idle) == [])
  }

  private func hasWatches(_ process: Int32) -> Bool {
    let folder = "/proc/\(process)/fd"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let paths = files.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    return paths.filter { $0.contains("inotify") }.count >= 2
  }

  @Test(arguments: ["watch", "idle"]) func `commands without a newer version say so and end`(_ command: String) throws {
    let programs = try Installation("quakes-fetch", "quakes", in: home)
    try programs.fetch(feed(1), isEarlier: true)
    let waiting = try programs.start("quakes", command)
    #expect(waiting.wait { _ in hasWatches(waiting.identifier) })
    try programs.fetch(feed(2), isEarlier: false)
    #expect(waiting.status() == 4)
    #expect(waiting.errorText.contains("it belongs to another version of Quakes"), "\(waiting.errorText)")
  }

  @Test func `the screen continues with its filter after an upgrade`() throws {
    let programs = try Installation("quakes-fetch", "quakes", in: home)
    try programs.fetch(feed(1), isEarlier: true)
    let pane = try TerminalPane(home)
    try #require(pane.waitForPrompt())
    try pane.run(programs.file("quakes").path)
    try #require(pane.wait(for: "1 of 1"), "\(pane.text)")
    try pane.type("/place")
    try pane.press("Enter")
    try #require(pane.wait(for: "place"), "\(pane.text)")
    let process = try #require(pane.job)
    try programs.upgrade("quakes")
    try programs.fetch(feed(2), isEarlier: false)
    expectUpgrade(programs, "quakes", of: process)
    #expect(
      pane.wait { $0.contains("Place 2") && $0.contains(" of 2") && $0.contains("Quakes · place") }, "\(pane.text)")
    #expect(pane.job == process)
    try pane.press("q")
    #expect(pane.waitForPrompt(), "\(pane.text)")
  }

  /// A screen of an earlier version, with two earthquakes.
  private func openScreen(_ programs: Installation) throws -> (pane: TerminalPane, process: Int32) {
    try programs.fetch(feed(1), isEarlier: true)
    try programs.fetch(feed(2, name: "second.geojson"), isEarlier: true)
    let pane = try TerminalPane(home)
    try #require(pane.waitForPrompt())
    try pane.run(programs.file("quakes").path)
    try #require(pane.wait(for: "1 of 2"), "\(pane.text)")
    return (pane, try #require(pane.job))
  }

  private func upgradeScreen(_ programs: Installation, _ process: Int32) throws {
    try programs.upgrade("quakes")
    try programs.fetch(feed(3, name: "third.geojson"), isEarlier: false)
    expectUpgrade(programs, "quakes", of: process)
  }

  private func selected(_ text: String) -> String {
    text.components(separatedBy: "\n").first { $0.hasPrefix(">") } ?? ""
  }

  @Test func `the screen continues with its selection and its order after an upgrade`() throws {
    let programs = try Installation("quakes-fetch", "quakes", in: home)
    let (pane, process) = try openScreen(programs)
    try pane.press("s", "j")
    #expect(pane.wait { selected($0).contains("Place 1") && $0.contains("largest first") }, "\(pane.text)")
    try upgradeScreen(programs, process)
    #expect(
      pane.wait { selected($0).contains("Place 1") && $0.contains("3 of 3 · largest first") }, "\(pane.text)")
    // The order of the list without a view is still the one that it was opened with.
    try pane.press("Escape", "q")
    #expect(pane.waitForPrompt(), "\(pane.text)")
  }

  @Test func `the screen continues with its open views after an upgrade`() throws {
    let programs = try Installation("quakes-fetch", "quakes", in: home)
    let (pane, process) = try openScreen(programs)
    try pane.press("m", "+", "+", "j", "Enter")
    #expect(pane.wait { $0.contains("position") && $0.contains("Place 2") }, "\(pane.text)")
    try pane.press("n", "h")
    #expect(pane.wait { $0.contains("KIND") && $0.hasPrefix("M 5.1 Place 1") }, "\(pane.text)")
    try upgradeScreen(programs, process)
    #expect(pane.wait { $0.contains("KIND") && $0.hasPrefix("M 5.1 Place 1") }, "\(pane.text)")
    try pane.press("q")
    #expect(
      pane.wait { $0.contains("M 5.1 Place 1 · ") && $0.contains("3 of 3") && $0.contains("+ zoom") }, "\(pane.text)")
    try pane.press("q")
    #expect(pane.wait { selected($0).contains("Place 1") && $0.contains("Place 3") }, "\(pane.text)")
    try pane.press("q")
    #expect(pane.waitForPrompt(), "\(pane.text)")
  }

  @Test func `a note continues to be typed after an upgrade`() throws {
    let programs = try Installation("quakes-fetch", "quakes", in: home)
    let (pane, process) = try openScreen(programs)
    try pane.press("j", "N")
    try pane.type("felt it")
    try pane.press("Left", "Left")
    #expect(pane.wait(for: "note: felt it"), "\(pane.text)")
    try upgradeScreen(programs, process)
    #expect(pane.wait { $0.contains("note: felt it") && $0.contains("Place 3") }, "\(pane.text)")
    try pane.type("q")
    try pane.press("Enter")
    #expect(pane.wait { !$0.contains("note:") && $0.contains("q quit") }, "\(pane.text)")
    let show = try Program("quakes", ["show", "us1", "--json", "note"], home: home.url)
    #expect(show.status() == 0 && show.lines.joined().contains("\"note\":\"felt qit\""), "\(show.lines)")
  }

  @Test func `a filter continues to be typed after an upgrade, and Escape restores the former one`() throws {
    let programs = try Installation("quakes-fetch", "quakes", in: home)
    let (pane, process) = try openScreen(programs)
    try pane.type("/mag>=5.2 place")
    try pane.press("Enter")
    #expect(pane.wait { $0.contains("Quakes · mag>=5.2 place ") && $0.contains("1 of 1") }, "\(pane.text)")
    try pane.press("/", "C-u")
    try pane.type("mag>=5.1 depth<x")
    #expect(pane.wait { $0.contains("depth needs a number") && $0.contains("/mag>=5.1 depth<x") }, "\(pane.text)")
    try upgradeScreen(programs, process)
    #expect(pane.wait { $0.contains("depth needs a number") && $0.contains("/mag>=5.1 depth<x") }, "\(pane.text)")
    try pane.press("BSpace")
    try pane.type("90")
    #expect(pane.wait { $0.contains(" of 3") }, "\(pane.text)")
    try pane.press("Escape")
    #expect(pane.wait { $0.contains("Quakes · mag>=5.2 place ") && $0.contains(" of 2") }, "\(pane.text)")
    try pane.press("w")
    try pane.type("new")
    #expect(pane.wait(for: "view: new"), "\(pane.text)")
    try pane.press("Escape", "q")
    #expect(pane.waitForPrompt(), "\(pane.text)")
  }

  /// The screen breaks the lines of a message, elsewhere for each length of the store's path.
  private func words(_ screen: String) -> String { screen.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  @Test func `what is typed when no newer version is installed yet does nothing else`() throws {
    let programs = try Installation("quakes-fetch", "quakes", in: home)
    let (pane, process) = try openScreen(programs)
    try pane.press("j", "Enter", "N")
    try pane.type("a note")
    #expect(pane.wait(for: "note: a note"), "\(pane.text)")
    try programs.fetch(feed(3, name: "third.geojson"), isEarlier: false)
    let message = "belongs to another version"
    #expect(pane.wait { words($0).contains(message) && words($0).contains("not saved: a note") }, "\(pane.text)")
    try pane.type("q q")
    try pane.press("Enter")
    #expect(pane.wait { words($0).contains(message) && !words($0).contains("a note") }, "\(pane.text)")
    try programs.upgrade("quakes")
    expectUpgrade(programs, "quakes", of: process)
    #expect(pane.wait { $0.contains("position") && $0.contains("M 5.1 Place 1") }, "\(pane.text)")
    try pane.press("q")
    #expect(pane.wait { selected($0).contains("Place 1") && $0.contains("3 of 3") }, "\(pane.text)")
    try pane.press("q")
    #expect(pane.waitForPrompt(), "\(pane.text)")
  }
}
