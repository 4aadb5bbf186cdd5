#if DeveloperTool
import ArgumentParser

/// `coredata store`: commands about stores.
struct StoreCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Inspect SQLite stores, check, copy, fill and migrate them, and follow their commits.",
    discussion: """
      Other processes may use the store at the same time. Only 'load', 'migrate', 'vacuum' and 'check --repair' change it.
      """,
    subcommands: [
      StoreInfo.self, StoreTablesCommand.self, StoreCheckCommand.self, StoreFetch.self, StoreDump.self,
      StoreLoad.self, StoreMigrate.self, StoreExport.self, StoreVacuum.self, StoreHistory.self, StoreWatch.self,
    ])
}
#endif
