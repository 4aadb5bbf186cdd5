#if DeveloperTool
import ArgumentParser
import Foundation

/// The store that a command reads.
struct StorePath: ParsableArguments {
  @Argument(help: ArgumentHelp("The store file.", valueName: "path"))
  var path: String

  /// - Throws: `ToolFailure` if the file does not exist or is not an SQLite database.
  func url() throws -> URL {
    let url = try ModelLocation.url(path)
    guard ModelLocation.isStore(url) else { throw ToolFailure(.unusable, "'\(path)' is not an SQLite database") }
    return url
  }
}
#endif
