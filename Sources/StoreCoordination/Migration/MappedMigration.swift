import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataModelFiles
import StrataObjectGraph
import StrataSQLStore

/// How a store of an older model is brought to the new one by a mapping model that lies in a file of the program.
struct MappedMigration {
  let url: URL
  let configuration: String?
  let options: [AnyHashable: Any]?
  let target: NSManagedObjectModel
  /// Where mapping models and older versions of the model lie.
  var bundles = Bundle.ofTheProgram

  /// Answers whether the store fits now: false, with nothing done, if there is no mapping model for it.
  ///
  /// The store keeps its file, its UUID and what the program added to its metadata; a history begins anew, since the keys
  /// of the rows are others. Of several processes that open an old store at once one migrates it.
  /// - Throws: what `NSMigrationManager.migrateStore` throws; the store is as it was.
  func run() throws -> Bool {
    guard try !isOld || (try mapping()) != nil else { return false }
    let copy = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent)-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: copy) }
    try NSPersistentStoreCoordinator.storeErrors {
      try SQLStore.rebuild(at: url, timeout: NSPersistentStoreCoordinator.busyTimeout(options)) {
        // Another process may have been quicker.
        guard let (source, mapping) = try mapping() else { return nil }
        return try migrate(from: source, by: mapping, in: copy)
      }
    }
    return try !isOld
  }

  private var isOld: Bool {
    get throws {
      try !target.isConfiguration(
        withName: configuration, compatibleWithStoreMetadata: SQLStore.metadata(at: url))
    }
  }

  private func migrate(from source: NSManagedObjectModel, by mapping: NSMappingModel, in folder: URL) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let new = folder.appendingPathComponent("Migrated.sqlite")
    var options = self.options ?? [:]
    options[NSMigratePersistentStoresAutomaticallyOption] = nil
    try NSMigrationManager(sourceModel: source, destinationModel: target).migrateStore(
      from: url, type: .sqlite, options: options, mapping: mapping, to: new, type: .sqlite, options: options)
    try SQLStore.setMetadata(try SQLStore.metadata(at: url), at: new)
    return new
  }

  /// The model that the store was written with, and a mapping model from there.
  private func mapping() throws -> (source: NSManagedObjectModel, mapping: NSMappingModel)? {
    let metadata = try SQLStore.metadata(at: url)
    guard !target.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) else { return nil }
    let source =
      try SQLStore.keptModel(at: url)
      ?? NSManagedObjectModel.mergedModel(
        from: bundles, forStoreMetadata: metadata)
    guard let source, source.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata),
      let mapping = NSMappingModel(from: bundles, forSourceModel: source, destinationModel: target)
    else { return nil }
    return (source, mapping)
  }
}
