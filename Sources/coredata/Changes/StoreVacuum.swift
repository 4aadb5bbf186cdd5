#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation
import StrataSQLStore

/// `coredata store vacuum`: makes a store's file as small as its contents.
struct StoreVacuum: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vacuum", abstract: "Rewrite a store's file without its free pages.",
    discussion: """
      Other writers wait until it ends, and it needs as much free space as the store's size. A file that other processes \
      have open shrinks at its next checkpoint.
      """)

  @OptionGroup var store: StorePath
  @OptionGroup var source: ModelOption

  func run() throws {
    let url = try store.url()
    let before = try StoreStatistics(of: url)
    let sizes = Self.size(url)
    let opened = try ToolStore(
      url, model: source.model(of: url),
      options: [
        NSSQLiteManualVacuumOption: true as NSNumber,
        NSPersistentHistoryTrackingKey: (before.history != nil) as NSNumber,
      ])
    try opened.close()
    let after = try StoreStatistics(of: url)
    let rows = [
      ["", "before", "after"], ["file", Console.bytes(sizes), Console.bytes(Self.size(url))],
      ["pages", "\(before.pages)", "\(after.pages)"], ["free pages", "\(before.freePages)", "\(after.freePages)"],
    ]
    for line in Console.table(rows) { print(line) }
  }

  /// Of the file and its log.
  private static func size(_ url: URL) -> Int {
    [url.path, url.path + "-wal"].reduce(0) { sum, path in
      sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0)
    }
  }
}
#endif
