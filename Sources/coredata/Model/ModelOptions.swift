#if DeveloperTool
import ArgumentParser

/// The model that a command reads.
struct ModelOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The model, or a store that contains one.", valueName: "path"))
  var path: String

  @Option(
    help: ArgumentHelp("The version of a model that has several; the current one if none is named.", valueName: "name"))
  var modelVersion: String?

  /// - Throws: `ToolFailure`, `FileFormatError` or `StoreError` if it is not a model.
  func location() throws -> ModelLocation { try ModelLocation(path, version: modelVersion) }
}
#endif
