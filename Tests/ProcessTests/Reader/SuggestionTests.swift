import Foundation
import StrataTestSupport
import Testing

/// The suggestions for unknown words.
@Suite(.waitsForProcesses) struct SuggestionTests {
  static let mistakes: [(line: String, text: String)] = [
    ("list --min 5", "--min-magnitude"), ("--min 5", "--min-magnitude"), ("list --max 5", "--max-magnitude"),
    ("list --mag 5", "--min-magnitude"), ("list --csv", "quakes export --format csv"), ("list --kind blast", "--type"),
    ("list --from 1d", "--since"), ("stats --to 1d", "--until"), ("list -n 5", "--limit"),
    ("list --count 5", "--limit"),
    ("list --radius 5km", "--within"), ("list --country japan", "--region"), ("map --output a.svg", "--svg or --png"),
    ("list --colour never", "--color"), ("list --sort-by time", "--sort"), ("list --magntude 5", "--min-magnitude"),
    ("list --sicne 1d", "--since"), ("list --tz utc", "--zone"), ("export --csv", "--format"),
    ("workers log", "quakes workers status"), ("workers restart", "quakes workers stop"), ("config set", "config edit"),
    ("workers statsu", "quakes workers status"), ("place clear", "quakes place remove"), ("ls", "list"),
    ("search tonga", "quakes list --text"), ("info us1", "show"), ("restart", "quakes workers stop"),
    ("--limit 2 top", "quakes top"), ("--min-magnitude 5 show us1", "quakes show"),
    ("--limit 2 japan", "quakes list japan"), ("-- japan", "quakes list japan"), ("fetch", "quakes-fetch"),
    ("update", "quakes-fetch"), ("log", "quakes workers status"),
  ]

  @Test(arguments: mistakes)
  func `a suggestion follows the meaning of a word`(line: String, text: String) throws {
    let home = try Home()
    let program = try Program("quakes", line.split(separator: " ").map(String.init), home: home.url)
    #expect(program.status() == 2, "\(program.lines)")
    let first = program.errorText.components(separatedBy: "\n")[0]
    #expect(first.contains(text), "\(program.errorText)")
  }

  @Test func `two hyphens alone change nothing`() throws {
    let home = try Home()
    let program = try Program("quakes", ["--"], home: home.url)
    #expect(program.status() == 9, "\(program.errorText)")
  }

  /// A word that is not like any other gets no suggestion.
  @Test(arguments: ["list --frobnicate", "list --xyz 5", "workers frobnicate", "frobnicate"])
  func `a suggestion is close or missing`(line: String) throws {
    let program = try Program("quakes", line.split(separator: " ").map(String.init), home: try Home().url)
    #expect(program.status() == 2)
    #expect(!program.errorText.lowercased().contains("did you mean"), "\(program.errorText)")
  }

  @Test func `common names of subcommands work`() throws {
    let home = try PersonalHome()
    #expect(try home.quakes("place", "new", "home", "1,2").lines == ["home is at 1.0,2.0"])
    #expect(try home.quakes("place", "ls").lines.last == "home  1.0,2.0")
    #expect(try home.quakes("place", "rm", "home").lines == ["home is removed"])
    #expect(try home.quakes("alert", "create", "--min-magnitude", "6", "--notify").status == 0)
    #expect(try home.quakes("alert", "ls").lines.count == 1)
    #expect(try home.quakes("alert", "delete", "alert-1").status == 0)
    #expect(try home.quakes("config", "get").lines.contains("[summary]"))
  }

  static let numbers: [(line: String, text: String)] = [
    ("list --limit -1", "--limit must not be negative"), ("top --limit -5", "--limit must not be negative"),
    ("list --since -24h", "--since must be a time"), ("list --near 1,2 --within -5km", "--within"),
    ("idle --timeout -1", "--timeout must be from 0"), ("aftershocks us1 --days -1", "--days"),
    ("map --zoom -2", "--zoom"),
  ]

  @Test(arguments: numbers)
  func `a negative value is reported as a value`(line: String, text: String) throws {
    let program = try Program("quakes", line.split(separator: " ").map(String.init), home: try Home().url)
    #expect(program.status() == 2)
    #expect(program.errorText.components(separatedBy: "\n")[0].contains(text), "\(program.errorText)")
    #expect(!program.errorText.contains("Missing value"), "\(program.errorText)")
  }

  @Test func `the worker and the summary suggest too`() throws {
    let home = try Home()
    for (program, line, text) in [
      ("quakes-fetch", "--interval -5 sample", "--interval must be between"),
      ("quakes-fetch", "--every 5", "--interval"),
      ("quakes-fetch", "backfill --from 1d", "--since"), ("quakes-summary", "--min 5", "--min-magnitude"),
      ("quakes-summary", "--watch", "--follow"), ("quakes-summary", "--formta waybar", "--format"),
      ("quakes-summary", "--max-width -1", "--max-width must be"),
    ] {
      let run = try Program(program, line.split(separator: " ").map(String.init), home: home.url)
      #expect(run.status() == 2)
      #expect(run.errorText.components(separatedBy: "\n")[0].contains(text), "\(line): \(run.errorText)")
    }
  }
}

/// The program's help.
@Suite(.waitsForProcesses) struct HelpTests {
  @Test func `the help groups commands and ends with the exit statuses`() throws {
    let home = try PersonalHome()
    let help = try home.quakes("--help")
    #expect(help.status == 0)
    #expect(try home.quakes("help").lines == help.lines)
    let headings = help.lines.filter { $0.hasSuffix(":") && $0 == $0.uppercased() }
    #expect(headings == ["OPTIONS:", "READING:", "WAITING:", "YOUR DATA:", "FETCHING AND SETTINGS:"])
    let last = help.lines.split(separator: "").last?.joined(separator: " ")
    #expect(last?.hasPrefix("Exit status: 0 success;") == true && last?.contains("9 no store;") == true)
    let examples = help.lines.filter { $0.hasPrefix("  quakes ") }
    #expect(examples.count == 3)
    for example in examples {
      let words = example.split(separator: " ").dropFirst().map(String.init)
      // There is no Reference store with cities.
      let program = try Program("quakes", words, home: home.url)
      #expect([0, 3].contains(program.status()), "\(example): \(program.errorText)")
    }
  }
}
