#if DeveloperTool
import ArgumentParser
import CoreData
import StrataManagedModel
import StrataSQLStore
import StrataSQLText
import StrataSupport

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

      --repair repairs what it can without losing data, in one transaction, after copying the store to a file next to it: \
      it sets references to missing rows to nil, deletes pairs of missing rows, raises key counters, and sets missing \
      versions and positions and wrong entity numbers of destinations. Remaining problems are printed as without it.
      """)

  @OptionGroup var store: StorePath

  @OptionGroup var source: ModelOption

  @Flag(help: "Copy the store, then repair what can be repaired.")
  var repair = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let url = try store.url()
    let repair = try repair ? StoreRepair(of: url, model: model()) : nil
    let report = Report(store.path, check: try IntegrityCheck(of: url, model: model()), repair: repair)
    if !report.checkedModel, source.path == nil, report.problems.allSatisfy({ $0.kind != "model-differs" }) {
      Console.printError("coredata: the store contains no copy of its model: pass --model to check its rows")
    }
    if json { try Console.print(json: report) } else { for line in report.lines { print(Console.printable(line)) } }
    if !report.problems.isEmpty { throw ExitCode(ToolStatus.differs.rawValue) }
  }

  /// The given model, read again, because a model in use cannot be used a second time.
  private func model() throws -> NSManagedObjectModel? { try source.path.map { try ModelLocation($0).model } }

  private struct Report: Encodable {
    struct Repair: Encodable {
      var place: String
      var count: Int
      var text: String

      init(_ step: StoreRepair.Step) { (place, count, text) = (step.place, step.count, step.text) }

      var line: String { "repaired: \(place): \(text) (\(counted(count, "row")))" }
    }

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
    /// Only of a repair.
    var backup: String?
    var repairs: [Repair]?

    init(_ path: String, check: IntegrityCheck, repair: StoreRepair?) {
      self.path = path
      backup = repair?.backup?.path
      repairs = repair?.steps.map(Repair.init)
      questions = check.questions
      checkedModel = check.knowsModel
      problems = check.flaws.filter { !$0.isHarmless }.map(Flaw.init)
      notes = check.flaws.filter(\.isHarmless).map(Flaw.init)
      isWhole = problems.isEmpty
    }

    var lines: [String] {
      let checks = counted(questions, "check")
      let verdict = isWhole ? "OK; \(checks) passed" : "\(counted(problems.count, "problem")); \(checks) made"
      let done = (backup.map { ["backup: \($0)"] } ?? []) + (repairs ?? []).map(\.line)
      return done + problems.map(\.line) + notes.map { "note: \($0.line)" } + [
        "\(path): \(verdict)"
      ]
    }
  }
}
#endif
