#if DeveloperTool
import ArgumentParser

/// `coredata model print`: prints a whole model.
struct ModelPrint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Print a whole model.",
    discussion: "Properties are listed with the entity that declares them; version hashes are as in stores.")

  @OptionGroup var options: ModelOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let report = ModelReport(try options.location())
    if json { return try Console.print(json: report) }
    for line in report.lines { print(Console.printable(line)) }
  }
}
#endif
