import ArgumentParser

/// `coredata store`: commands about stores.
struct StoreCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Inspect SQLite stores, check and fill them, and follow their commits.",
    discussion: "Other processes may use the store meanwhile. Only 'load' changes it.",
    subcommands: [
      StoreInfo.self, StoreTablesCommand.self, StoreCheckCommand.self, StoreFetch.self, StoreDump.self,
      StoreLoad.self, StoreHistory.self, StoreWatch.self,
    ])
}
