import Foundation
import StrataTestSupport
import Testing

/// Commands whose output cannot be written, or whose terminal and environment are unusual.
///
/// Serialized, because each test starts dozens of processes.
@Suite(.waitsForProcesses, .serialized) struct EnvironmentTests {
  private static let quakes = [
    "list", "list --json", "top --since 2017-01-01", "near us7000abcd", "aftershocks us7000abcd --within 20000km",
    "stats", "stats --json", "map --since 2017-01-01", "show us7000abcd", "show us7000abcd --history", "changes",
    "changes --json", "export", "export --format csv", "export --format ndjson", "export --format quakeml",
    "export --format kml", "place list", "place add there 1,2", "star us7000abcd", "ack --all", "note us7000abcd two",
    "note us7000abcd", "open us7000abcd --print", "alert list", "config", "config path", "doctor", "watch", "--version",
    "--help", "list --help", "--generate-completion-script bash",
  ]
  private static let others = ["quakes-summary", "quakes-summary --help", "quakes-fetch --help", "quakes-fetch join"]

  private static let filled = Result { try fill() }

  /// A home in which each of the commands prints something.
  private func home() throws -> PersonalHome { try PersonalHome(copyOf: Self.filled.get()) }

  private static func fill() throws -> PersonalHome {
    let home = try PersonalHome(in: TemporaryFolder.make())
    try home.fetch([
      .init("us7000abcd", magnitude: 6.1, place: "Tonga", url: "https://example.org/1", updated: 1)
    ])
    for words in [["place", "add", "home", "1,2"], ["note", "us7000abcd", "one"], ["alert", "add", "a", "--notify"]] {
      #expect(try Program("quakes", words, home: home.url).status() == 0)
    }
    return home
  }

  private func run(
    _ command: String, _ redirection: String = "", in home: PersonalHome, variables: [String: String] = [:]
  ) throws -> (status: Int32?, lines: [String], errorText: String) {
    var words = command.split(separator: " ").map(String.init)
    if words.first?.hasPrefix("quakes-") != true { words.insert("quakes", at: 0) }
    let line = (["'\(Program.file(words[0]).path)'"] + words.dropFirst()).joined(separator: " ")
    let shell = try Program(
      "sh",
      [
        "-c",
        redirection.contains("@") ? redirection.replacingOccurrences(of: "@", with: line) : "\(line) \(redirection)",
      ],
      home: home.url, file: URL(fileURLWithPath: "/bin/sh"), variables: variables)
    return (shell.status(), shell.lines, shell.errorText)
  }

  @Test(arguments: [(">/dev/full", "No space left on device", 0), (">&-", "Bad file descriptor", 4)])
  func `a failed write to standard output has its own status`(_ redirection: String, _ reason: String, _ first: Int)
    throws
  {
    let home = try home()
    for command in (Self.quakes + Self.others).sampled(every: 8, from: first) {
      let found = try run(command, redirection, in: home)
      #expect(found.status == 74, "\(command): \(found.errorText)")
      #expect(found.errorText.contains("cannot write to standard output: \(reason)"), "\(command): \(found.errorText)")
    }
    #expect(try home.list("{id}").count == 2)
  }

  /// The fetched earthquakes are stored nevertheless.
  @Test func `a report that cannot be written is an error`() throws {
    let home = try home()
    let found = try run("quakes-fetch --once sample", ">/dev/full", in: home)
    #expect(found.status == 74 && found.errorText.contains("cannot write to standard output"), "\(found.errorText)")
    #expect(try home.list("{id}").count > 2)
    #expect(try run("quakes-fetch --once sample", "{ @; echo $? >&2; } | true", in: home).errorText.hasSuffix("0\n"))
  }

  @Test func `a closed pipe is not a failure`() throws {
    let home = try home()
    for command in (Self.quakes.filter({ $0 != "watch" }) + Self.others).sampled(every: 7, from: 3) {
      let found = try run(command, "{ @; echo $? >&2; } | true", in: home)
      #expect(found.errorText.hasSuffix("0\n"), "\(command): \(found.errorText)")
    }
  }

  @Test(arguments: [8, 14]) func `a low limit of open files is reported`(files: Int) throws {
    let home = try home()
    for command in ["idle", "watch", "quakes-summary --follow"] {
      let found = try run(command, "ulimit -n \(files); exec @", in: home)
      #expect(found.status == 4 && found.errorText.contains("raise \"ulimit -n\""), "\(command): \(found)")
    }
    for command in ["list", "doctor"] {
      let found = try run(command, "ulimit -n \(files); exec @", in: home)
      #expect(found.status.map { [0, 1, 4].contains($0) } == true, "\(command): \(found)")
      let isReported = (found.lines + [found.errorText]).contains { $0.contains("ulimit -n") }
      #expect(found.status == 0 || isReported, "\(command): \(found)")
    }
  }

  private static let environments = [
    ["COLUMNS": "1", "TZ": "Mars/Olympus"], ["COLUMNS": "0", "LC_ALL": "C"], ["COLUMNS": "20", "TERM": "dumb"],
    ["COLUMNS": "99999", "TZ": ":/etc/passwd"], ["COLUMNS": "9223372036854775807", "TZ": "<+0545>-5:45"],
    ["COLUMNS": "-5"], ["HOME": "", "TZ": "", "LC_ALL": "", "COLUMNS": "", "TERM": ""],
  ]

  /// Each environment of a sample tests other commands.
  @Test(arguments: zip(environments, environments.indices)) func `commands work in unusual environments`(
    _ variables: [String: String], _ first: Int
  ) throws {
    let home = try home()
    for command in (Self.quakes.filter({ $0 != "watch" }) + Self.others).sampled(every: 7, from: first) {
      let found = try run(command, in: home, variables: variables)
      #expect(found.status == 0, "\(command): \(found)")
      #expect(!found.lines.joined().contains("\u{1B}"), "\(command)")
    }
  }

  @Test func `options and environment variables control color`() throws {
    let home = try home()
    func hasColor(_ command: String, _ variables: [String: String]) throws -> Bool {
      try run(command, in: home, variables: variables).lines.joined().contains("\u{1B}[")
    }
    let commands = ["list", "show us7000abcd", "top --since 2017-01-01", "place list", "map --since 2017-01-01"]
    for command in commands.sampled(every: 4) {
      #expect(try hasColor(command, ["CLICOLOR_FORCE": "1"]), "\(command)")
      #expect(try !hasColor(command, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]), "\(command)")
      #expect(try !hasColor(command + " --no-color", ["CLICOLOR_FORCE": "1"]), "\(command)")
      #expect(try hasColor(command + " --color always", ["NO_COLOR": "1"]), "\(command)")
      #expect(try !hasColor(command, [:]), "\(command)")
    }
  }

  @Test func `without a store, each command says how to get one`() throws {
    let home = try Home()
    let commands = Self.quakes.filter { command in
      !["place", "alert", "config", "doctor", "-"].contains(where: command.hasPrefix) && !command.hasSuffix("--help")
    }
    for command in commands.sampled(every: 4) {
      let program = try Program("quakes", command.split(separator: " ").map(String.init), home: home.url)
      #expect(program.status() == 9, "\(command): \(program.errorText)")
      #expect(program.errorText.contains("quakes workers start"), "\(command): \(program.errorText)")
      #expect(program.lines.isEmpty, "\(command)")
    }
  }
}
