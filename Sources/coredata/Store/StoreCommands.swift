import ArgumentParser
import Foundation

/// `coredata store`: what there is to ask about stores.
struct StoreCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Look into SQLite stores, check them, and follow what is committed to them.",
    discussion: "Other processes may have the store open and write it. Nothing of it is changed.",
    subcommands: [StoreInfo.self, StoreCheckCommand.self, StoreHistory.self, StoreWatch.self])
}

/// Which store a command is about.
struct StorePath: ParsableArguments {
  @Argument(help: ArgumentHelp("The file of the store.", valueName: "path"))
  var path: String

  /// - Throws: `Failure` for a place where nothing is, and for what is no SQLite database.
  func url() throws -> URL {
    let url = try ModelPlace.url(path)
    guard ModelPlace.isStore(url) else { throw Failure(.unusable, "'\(path)' is not an SQLite database") }
    return url
  }
}
