import Foundation
import StrataTestSupport
import Testing

/// The pager for output on a terminal, which `script` provides.
@Suite(.waitsForProcesses, .serialized, .enabled(if: access("/usr/bin/script", X_OK) == 0)) struct PagerTests {
  private let home: Home

  private static let filled = Result {
    let home = try Home(in: TemporaryFolder.make())
    #expect(try Program("quakes-fetch", ["--once", "sample"], home: home.url).status() == 0)
    return home
  }

  init() throws { home = try Home(copyOf: Self.filled.get()) }

  /// Runs `quakes` on a terminal.
  private func run(
    _ words: String, pager: String?, variables: [String: String] = [:]
  ) throws -> (status: Int32?, text: String) {
    var variables = variables.merging(["TERM": "xterm", "SHELL": "/bin/sh"]) { given, _ in given }
    if let pager { variables["QUAKES_PAGER"] = pager }
    let program = try Program(
      "script", ["-qec", "stty -opost; exec '\(Program.file("quakes").path)' \(words)", "/dev/null"], home: home.url,
      file: URL(fileURLWithPath: "/usr/bin/script"), variables: variables)
    let status = program.status()
    return (status, program.lines.joined(separator: "\n"))
  }

  private func isPaged(_ text: String) -> Bool { text.hasPrefix("paged:") }

  private static let markingPager = "sed s/^/paged:/"

  @Test(
    arguments: ["list", "top", "near 0,0", "changes --since 2000-01-01", "stats", "list --json", "show ID"]
      .sampled(every: 3)
  ) func `output on a terminal goes through the pager`(words: String) throws {
    let id = try #require(
      try Program("quakes", ["list", "--limit", "1", "--template", "{id}"], home: home.url).finishedLines().first)
    let words = words.replacing("ID", with: id)
    let paged = try run(words, pager: Self.markingPager)
    #expect(paged.status == 0 && isPaged(paged.text), "\(paged.text)")
    #expect(try !isPaged(run(words + " --no-pager", pager: Self.markingPager).text))
  }

  @Test func `exports and pipes do not use the pager`() throws {
    #expect(try !isPaged(run("export --format csv", pager: Self.markingPager).text))
    let pipe = try Program("quakes", ["list"], home: home.url, variables: ["QUAKES_PAGER": Self.markingPager])
    #expect(pipe.finishedLines().first?.hasPrefix("paged:") == false)
  }

  @Test func `QUAKES_PAGER overrides the settings file, which overrides PAGER`() throws {
    let all = ["PAGER": "sed s/^/all:/"]
    #expect(try run("list", pager: nil, variables: all).text.hasPrefix("all:"))
    #expect(try run("list", pager: "sed s/^/own:/", variables: all).text.hasPrefix("own:"))
    #expect(try !run("list", pager: "", variables: all).text.hasPrefix("all:"))
    let file = try home.write("config.toml", "[display]\npager = \"sed s/^/file:/\"\n")
    #expect(try run("list --config '\(file)'", pager: nil, variables: all).text.hasPrefix("file:"))
    #expect(try run("list --config '\(file)'", pager: "sed s/^/own:/").text.hasPrefix("own:"))
    let none = try home.write("none.toml", "[display]\npager = false\n")
    #expect(try !run("list --config '\(none)'", pager: nil, variables: all).text.hasPrefix("all:"))
  }

  @Test func `a pager that cannot start does not lose output`() throws {
    let list = try run("list", pager: "no-such-pager")
    #expect(list.status == 0 && list.text.contains("MAG"), "\(list.text)")
    #expect(list.text.contains("the pager \"no-such-pager\" cannot be started: No such file"), "\(list.text)")
    let shell = try run("list", pager: "no-such-pager | cat -")
    #expect(shell.status == 0, "\(shell.text)")
    let ended = try run("list", pager: "LESS=x no-such-pager")
    #expect(ended.text.contains("ended with status 127; set QUAKES_PAGER"), "\(ended.text)")
  }

  @Test func `quitting the pager is not a failure, and other statuses are kept`() throws {
    let early = try run("changes --since 2000-01-01 --json", pager: "true")
    #expect(early.status == 0 && early.text.isEmpty, "\(early.text)")
    #expect(try run("list --min-magnitude 11 --exit-status", pager: Self.markingPager).status == 1)
    #expect(try run("show none", pager: Self.markingPager).status == 3)
  }

  @Test func `an interrupt is left to the pager`() throws {
    // The pager interrupts the whole group, as Control-C does, and still prints its output.
    let list = try run("list", pager: "trap '' INT; kill -INT 0; sed 's/^/kept: /'")
    #expect(list.status == 0 && list.text.contains("kept: "), "\(list.status ?? -1) \(list.text)")
  }
}

extension Program {
  /// Waits for the exit, and returns the complete lines of output.
  fileprivate func finishedLines() -> [String] {
    _ = status()
    return lines
  }
}
