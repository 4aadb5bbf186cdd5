import ArgumentParser

/// `coredata store`: commands about stores.
struct StoreCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Inspect SQLite stores, check them, and follow their commits.",
    discussion: "Other processes may use the store meanwhile. These commands never change it.",
    subcommands: [
      StoreInfo.self, StoreTablesCommand.self, StoreCheckCommand.self, StoreFetch.self, StoreHistory.self,
      StoreWatch.self,
    ])
}
