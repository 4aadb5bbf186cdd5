#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation

/// The model of a store.
struct ModelOption: ParsableArguments {
  @Option(
    name: .customLong("model"),
    help: ArgumentHelp(
      "The model that the store was written with, instead of the copy in the store.", valueName: "path"))
  var path: String?

  /// - Throws: `ToolFailure` if none is given and the store contains no copy.
  func model(of store: URL) throws -> NSManagedObjectModel {
    // Problems of the copy in a store cannot be fixed.
    try ModelLocation(path ?? store.path, warns: path != nil).model
  }
}
#endif
