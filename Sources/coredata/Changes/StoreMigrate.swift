#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation
import StrataManagedModel
import StrataSQLStore
import StrataStoreCoordination

/// `coredata store migrate`: migrates a store to another version of its model.
struct StoreMigrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Migrate a store to another version of its model.",
    discussion: """
      Migrates lightweight in one transaction or, with --mapping, object by object. Other processes that have \
      the store open with the old model cannot use it afterwards. If the migration fails, the store is as it was.

      A mapping model that names classes of a program can only be executed by that program. --dry-run prints the steps; \
      it exits with status 4 if the migration is not possible.
      """)

  @OptionGroup var store: StorePath

  @Option(help: ArgumentHelp("The model to migrate to.", valueName: "path"))
  var model: String

  @Option(
    help: ArgumentHelp("The model version, if there are several (default: the current one).", valueName: "name"))
  var modelVersion: String?

  @Option(
    help: ArgumentHelp("A mapping model: an .xcmappingmodel, or a compiled .cdm.", valueName: "path"))
  var mapping: String?

  @Flag(help: "Print the steps without changing anything.")
  var dryRun = false

  func run() throws {
    let url = try store.url()
    let old = try ModelLocation(store.path, warns: false)
    let new = try ModelLocation(model, version: modelVersion)
    let report = ModelDiffReport(from: old, to: new)
    guard !report.isSame else { return say(report.lines) }
    let mapping = try mapping.map { try Self.mapping($0, from: old.model, to: new.model) }
    if let mapping { say(Self.lines(mapping)) } else { say(report.lines) }
    guard mapping != nil || report.isLightweight else {
      throw ToolFailure(
        .unusable,
        "the store cannot be migrated without help: give renaming identifiers to the model, or pass --mapping")
    }
    guard !dryRun else { return print("nothing was done (--dry-run)") }
    let start = Date()
    try migrate(url, from: old.model, to: new.model, by: mapping)
    let rows = try StoreStatistics(of: url).entities.reduce(0) { $0 + $1.rows }
    print("migrated \(rows) objects in \(Self.seconds(since: start)) s")
  }

  private func say(_ lines: [String]) { for line in lines { print(Console.printable(line)) } }

  private static func seconds(since start: Date) -> String {
    "\((Date().timeIntervalSince(start) * 100).rounded() / 100)"
  }

  private func migrate(
    _ url: URL, from old: NSManagedObjectModel, to model: NSManagedObjectModel, by mapping: NSMappingModel?
  ) throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    let configuration = old.configuration(fitting: metadata)
    let keepsHistory = try StoreStatistics(of: url).history != nil
    var options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: keepsHistory as NSNumber]
    if let mapping {
      guard
        try NSPersistentStoreCoordinator.migrateStore(
          at: url, configuration: configuration, to: model, by: mapping, options: options)
      else {
        throw ToolFailure(.unusable, "the store '\(store.path)' was migrated by another process in the meantime")
      }
      return
    }
    for key in [NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption] {
      options[key] = true as NSNumber
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.remove(
      coordinator.addPersistentStore(type: .sqlite, configuration: configuration, at: url, options: options))
  }

  private static func mapping(
    _ path: String, from old: NSManagedObjectModel, to new: NSManagedObjectModel
  ) throws -> NSMappingModel {
    guard let mapping = NSMappingModel(contentsOf: try ModelLocation.url(path)) else {
      throw ToolFailure(.unusable, "'\(path)' is not a readable mapping model")
    }
    guard mapping.leads(from: old, to: new) else {
      throw ToolFailure(.unusable, "the mapping model '\(path)' is between other versions of the model")
    }
    return mapping
  }

  /// The steps of a mapping model, one line per entity.
  private static func lines(_ mapping: NSMappingModel) -> [String] {
    Console.table(
      (mapping.entityMappings ?? []).map { mapping in
        let ends = [mapping.sourceEntityName, mapping.destinationEntityName].map { $0 ?? "-" }
        let policy = mapping.entityMigrationPolicyClassName.flatMap { $0.isEmpty ? nil : "by \($0)" } ?? ""
        return [mapping.name ?? "", "\(ends[0]) -> \(ends[1])", policy]
      })
  }
}
#endif
