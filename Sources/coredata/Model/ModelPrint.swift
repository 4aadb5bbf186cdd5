import ArgumentParser

/// `coredata model print`: everything that a model says.
struct ModelPrint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Print everything that a model says.",
    discussion: "Properties stand with the entity that declares them; version hashes are those that stores keep.")

  @OptionGroup var options: ModelOptions

  @Flag(help: "As JSON.")
  var json = false

  func run() throws {
    let report = ModelReport(try options.place())
    if json { return try Console.print(json: report) }
    for line in report.lines { print(Console.printable(line)) }
  }
}
