#if DeveloperTool
import ArgumentParser
import StrataManagedModel

/// `coredata model diff`: prints what migrating a store from one model to another does.
struct ModelDiff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two models: what a lightweight migration would do, or why it cannot.",
    discussion: """
      Name two versions of one model by their folders: Library.xcdatamodeld/Library.xcdatamodel and so on. Exits with \
      status 0 if the version hashes are the same, so that both open the same stores, and with status 1 otherwise.
      """)

  @Argument(help: ArgumentHelp("The old model, or a store of it.", valueName: "old"))
  var old: String

  @Argument(help: ArgumentHelp("The new model.", valueName: "new"))
  var new: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let report = ModelDiffReport(from: try ModelLocation(old), to: try ModelLocation(new))
    if json { try Console.print(json: report) } else { for line in report.lines { print(Console.printable(line)) } }
    if !report.isSame { throw ExitCode(ToolStatus.differs.rawValue) }
  }
}
#endif
