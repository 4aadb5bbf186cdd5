#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation
import StrataSQLStore

/// `coredata store export`: copies a store to one of another type.
struct StoreExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copy a store to a new one of any type.",
    discussion: """
      An SQLite copy contains everything, including the history, under a new identifier. XML and binary stores are held \
      in memory as a whole, here and whenever they are opened.
      """)

  enum StoreType: String, ExpressibleByArgument, CaseIterable {
    case sqlite, binary, xml

    fileprivate var type: NSPersistentStore.StoreType {
      switch self {
      case .sqlite: .sqlite
      case .binary: .binary
      case .xml: .xml
      }
    }
  }

  @OptionGroup var store: StorePath

  @Argument(help: ArgumentHelp("The file to create, which must not exist.", valueName: "to"))
  var target: String

  @Option(help: "The type of the copy: sqlite, binary or xml.")
  var type: StoreType

  @OptionGroup var source: ModelOption

  func run() throws {
    let url = try store.url()
    guard !FileManager.default.fileExists(atPath: target) else {
      throw ToolFailure(.unusable, "the file '\(target)' already exists")
    }
    let opened = try ToolStore.reading(url, model: source.model(of: url))
    let copy = URL(fileURLWithPath: target)
    let keepsHistory = try type == .sqlite && StoreStatistics(of: url).history != nil
    let options = [NSPersistentHistoryTrackingKey: keepsHistory as NSNumber]
    let made = try opened.coordinator.migratePersistentStore(opened.store, to: copy, options: options, type: type.type)
    try opened.coordinator.remove(made)
    let size = (try? FileManager.default.attributesOfItem(atPath: target)[.size] as? NSNumber)?.intValue ?? 0
    print("\(Console.printable(target)): \(Console.bytes(size))")
  }
}
#endif
