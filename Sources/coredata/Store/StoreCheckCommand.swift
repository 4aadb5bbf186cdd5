import ArgumentParser
import CoreData
import StrataSQLStore
import StrataSQLText
import StrataSQLiteText

/// `coredata store check`: checks a store's integrity.
struct StoreCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check a store's integrity.",
    discussion: """
      Checks the file, the metadata, the tables, the keys and references of all rows, the pairs of many-to-many \
      relationships, the history, and the external data files, in one snapshot, against the copy of the model in the \
      store. Exits with status 1 if anything is wrong; notes are harmless.

      The history is compared with the rows, too: that reveals rows that a program other than Core Data deleted or \
      inserted.
      """)

  @OptionGroup var store: StorePath

  @OptionGroup var source: ModelOption

  @Flag(help: "As JSON.")
  var json = false

  func run() throws {
    let url = try store.url()
    let report = Report(
      store.path, check: try StoreCheck(of: url, model: try source.path.map { try ModelLocation($0).model }))
    if !report.checkedModel, source.path == nil, report.problems.allSatisfy({ $0.kind != "model-differs" }) {
      Console.printError("coredata: the store contains no copy of its model: pass --model to check its rows")
    }
    if json { try Console.print(json: report) } else { for line in report.lines { print(Console.printable(line)) } }
    if !report.problems.isEmpty { throw ExitCode(ExitStatus.differs.rawValue) }
  }

  private struct Report: Encodable {
    struct Flaw: Encodable {
      var kind: String
      var place: String
      var count: Int
      var keys: [Int64]
      var text: String

      init(_ flaw: IntegrityIssue) {
        (kind, place, count, keys, text) = (flaw.kind.rawValue, flaw.place, flaw.count, flaw.keys, flaw.text)
      }

      var line: String {
        let rest = count > keys.count ? " …" : ""
        return "\(place): \(text)"
          + (keys.isEmpty ? "" : " (\(keys.map(String.init).joined(separator: ", "))\(rest))")
      }
    }

    let formatVersion = 1
    var path: String
    var isWhole: Bool
    var checkedModel: Bool
    var questions: Int
    var problems: [Flaw]
    var notes: [Flaw]

    init(_ path: String, check: StoreCheck) {
      self.path = path
      questions = check.questions
      checkedModel = check.knowsModel
      problems = check.flaws.filter { !$0.isHarmless }.map(Flaw.init)
      notes = check.flaws.filter(\.isHarmless).map(Flaw.init)
      isWhole = problems.isEmpty
    }

    var lines: [String] {
      let verdict = isWhole ? "whole" : "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
      return problems.map(\.line) + notes.map { "note: \($0.line)" } + [
        "\(path): \(verdict); \(questions) things asked"
      ]
    }
  }
}
