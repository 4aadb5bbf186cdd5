import Foundation
import StrataTestSupport
import Testing

/// `quakes idle`, with which scripts wait for changes of the store.
@Suite(.waitsForProcesses) struct IdleTests {
  private typealias Event = PersonalHome.Event

  private func idle(_ home: PersonalHome, _ arguments: String...) throws -> Program {
    try Program("quakes", ["idle"] + arguments, home: home.url)
  }

  /// The token of the newest change.
  private func token(_ home: PersonalHome) throws -> String {
    let program = try idle(home, "--token", "--timeout", "0")
    #expect(program.status() == 1, "\(program.errorText)")
    let line = try #require(program.lines.last)
    #expect(program.lines.count == 1 && line.hasPrefix("token "), "\(program.lines)")
    return String(line.dropFirst("token ".count))
  }

  /// Waits until the program is idle and watches for commits.
  private func settle(_ program: Program) {
    let end = Date(timeIntervalSinceNow: 120)
    var former = ""
    while Date() < end {
      let now = (try? String(contentsOfFile: "/proc/\(program.identifier)/schedstat", encoding: .utf8)) ?? ""
      let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.identifier)/fd")) ?? []
      let paths = links.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(program.identifier)/fd/\($0)")
      }
      if now == former, paths.contains(where: { $0.contains("inotify") }) { return }
      former = now
      usleep(200_000)
    }
  }

  @Test(arguments: ["idle", "watch"]) func `waiting commands end when the store is deleted`(_ command: String) throws {
    let home = try PersonalHome()
    let waiting = try Program("quakes", [command], home: home.url)
    settle(waiting)
    try FileManager.default.removeItem(at: home.url.appendingPathComponent("group.quakes"))
    #expect(waiting.status() == 4)
    #expect(waiting.errorText.contains("was deleted, moved or replaced; restart the program"), "\(waiting.errorText)")
  }

  @Test func `each event is printed on one line`() throws {
    let home = try PersonalHome()
    let start = try token(home)
    let waiting = try idle(home, "--loop")
    settle(waiting)
    let once = try idle(home, "revised", "renamed")
    settle(once)
    try home.fetch([Event("us7000new1", magnitude: 5.5, place: "Fi\u{1B}[2J\nnew ji")], generated: 1)
    try home.fetch(
      [Event("us7000abcd", magnitude: 6.3, place: "Tonga", updated: 1)], generated: 2)
    try home.fetch(
      [Event("ak1234", magnitude: 6.3, place: "Tonga", ids: ["us7000abcd", "ak1234"], updated: 2)], generated: 3)
    let gone = try Program("quakes-fetch", ["--once", "http://127.0.0.1:1/gone"], home: home.url)
    #expect(gone.status() != 0)
    #expect(waiting.wait { $0.contains { $0.hasPrefix("fetch-error") } }, "\(waiting.lines) \(waiting.errorText)")
    waiting.signal(SIGTERM)
    _ = waiting.status()
    let quakes = waiting.lines.filter { !$0.hasPrefix("fetch-") }
    #expect(
      quakes == [
        "new us7000new1 5.5 Fi new ji", "revised us7000abcd 6.3 magnitude 6.1 → 6.3",
        "renamed ak1234 6.3 id us7000abcd → ak1234",
      ])
    #expect(waiting.lines.filter { $0.hasPrefix("fetch-ok") && $0.hasSuffix(" 1 new, 0 changed") }.count == 1)
    #expect(waiting.lines.last?.hasPrefix("fetch-error http://127.0.0.1:1/gone ") == true)

    #expect(once.status() == 0, "\(once.errorText)")
    #expect(once.lines == ["revised us7000abcd 6.3 magnitude 6.1 → 6.3"])

    // A later call with an earlier token prints all events since then.
    let late = try idle(home, "--after", start, "new", "renamed", "--token")
    #expect(late.status() == 0, "\(late.errorText)")
    #expect(late.lines.dropLast().map { $0.prefix(3) } == ["new", "ren"])
    let end = try token(home)
    #expect(late.lines.last == "token \(end)")
    #expect(try idle(home, "--after", end, "--timeout", "0").status() == 1)
  }

  @Test func `no change is lost between two calls`() throws {
    let home = try PersonalHome()
    var lastToken = try token(home)
    let writer = Thread {
      for number in 0..<12 {
        try? home.fetch([Event("us7000n\(number)", magnitude: 5, place: "P\(number)")], generated: number + 1)
      }
    }
    writer.start()
    var printed: [String] = []
    while printed.count < 12 {
      let call = try idle(home, "new", "--after", lastToken, "--token", "--timeout", "120")
      guard call.status() == 0, let last = call.lines.last else { break }
      printed += call.lines.dropLast().compactMap { $0.split(separator: " ").last.map(String.init) }
      lastToken = String(last.dropFirst("token ".count))
    }
    #expect(printed == (0..<12).map { "P\($0)" })
  }

  @Test func `an unknown or invalid token is refused`() throws {
    let home = try PersonalHome()
    let validToken = try token(home)
    let store = validToken.split(separator: ".")[1]
    for (token, status) in [("1.ABC", 3), ("99999.\(store)", 3), ("-1.\(store)", 2), ("x", 2)] as [(String, Int32)] {
      let program = try idle(home, "--after=\(token)", "--timeout", "0")
      #expect(program.status() == status && !program.errorText.isEmpty, "\(token) \(program.errorText)")
    }
    #expect(try idle(home, "earthquake").status() == 2)
    #expect(try idle(home, "--timeout=-1").status() == 2)
    let all = try idle(home, "new", "--after", "0.\(store)", "--timeout", "0")
    #expect(all.status() == 0 && all.lines.count == 2, "\(all.lines) \(all.errorText)")
    let empty = try Program("quakes", ["idle"], home: try Home().url)
    #expect(empty.status() == 9)
  }

  @Test func `idle ends when its output pipe is closed`() throws {
    let home = try PersonalHome()
    let shell = try Program(
      "sh", ["-c", "(\(Program.file("quakes").path) idle --loop; echo ended >&2) | true"], home: home.url,
      file: URL(fileURLWithPath: "/bin/sh"))
    #expect(shell.status() == 0)
    #expect(shell.errorText.contains("ended"), "\(shell.errorText)")
  }
}
