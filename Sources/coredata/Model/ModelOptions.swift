#if DeveloperTool
import ArgumentParser

/// The model that a command reads.
struct ModelOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The model, or a store that contains one.", valueName: "path"))
  var path: String

  @Option(
    help: ArgumentHelp("The model version, if there are several (default: the current one).", valueName: "name"))
  var modelVersion: String?

  /// - Throws: `ToolFailure`, `FileFormatError` or `StoreError` if it is not a model.
  func location() throws -> ModelLocation { try ModelLocation(path, version: modelVersion) }
}
#endif
