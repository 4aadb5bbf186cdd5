#if DeveloperTool
import ArgumentParser
import Foundation
import StrataManagedModel

/// `coredata model lint`: prints what Xcode's compiler warns of.
struct ModelLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint", abstract: "Print the warnings that Xcode prints when it compiles a model.",
    discussion: """
      Relationships without an inverse or with the delete rule No Action, names of methods of \
      NSManagedObject, abstract entities without children, attributes without a type, transformable attributes without a secure \
      transformer, optional scalars without a default value, and entities with more than 100 properties; also \
      unknown contents of the model's file. With file and line if the model is text. Exits with status 1 if there are \
      warnings.
      """)

  @OptionGroup var options: ModelOptions

  @Flag(help: "Print JSON.")
  var json = false

  private struct Report: Encodable {
    struct Warning: Encodable {
      var file: String
      var line: Int?
      var text: String
    }

    let formatVersion = 1
    var warnings: [Warning]
  }

  func run() throws {
    let location = try ModelLocation(options.path, version: options.modelVersion, warns: false)
    let warnings = ModelLinter(location, file: options.path).warnings
    if json {
      try Console.print(
        json: Report(
          warnings: warnings.map { .init(file: $0.file, line: $0.line > 0 ? $0.line : nil, text: $0.text) }))
    } else {
      for warning in warnings { print(Console.printable("\(warning)")) }
    }
    if !warnings.isEmpty { throw ExitCode(ToolStatus.differs.rawValue) }
  }
}
#endif
