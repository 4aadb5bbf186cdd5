import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// Migrates a store of an older model with a mapping model from a file of the program.
struct MappedMigration {
  let driver: any StoreMigrating
  let url: URL
  let type: NSPersistentStore.StoreType
  let configuration: String?
  let options: StoreOptions
  let target: NSManagedObjectModel
  /// The mapping model; nil to look for one.
  var given: NSMappingModel?
  /// Where to look for mapping models and older versions of the model.
  var bundles = Bundle.ofTheProgram

  /// Returns whether the store fits now: false, with nothing done, without a mapping model for it.
  ///
  /// The store keeps its place, its UUID and the program's metadata. Its history starts over, since the rows have new
  /// keys. When several processes open an old store simultaneously, one migrates it.
  /// - Throws: what `NSMigrationManager.migrateStore` throws; the store is then unchanged.
  func run() throws -> Bool {
    try NSPersistentStoreCoordinator.storeErrors {
      guard try !isOld || (try mapping()) != nil else { return false }
      try driver.rebuild(at: url, options: options) { copy in
        // Another process may have been faster.
        guard let (source, mapping) = try mapping() else { return false }
        try migrate(from: source, by: mapping, to: copy)
        return true
      }
      return try !isOld
    }
  }

  private var isOld: Bool {
    get throws {
      try !target.isConfiguration(
        withName: configuration, compatibleWithStoreMetadata: driver.metadata(at: url))
    }
  }

  private func migrate(from source: NSManagedObjectModel, by mapping: NSMappingModel, to copy: URL) throws {
    var given = options.given
    given[NSMigratePersistentStoresAutomaticallyOption] = nil
    try NSMigrationManager(sourceModel: source, destinationModel: target).migrateStore(
      from: url, type: type, options: given, mapping: mapping, to: copy, type: type, options: given)
    try driver.setMetadata(driver.metadata(at: url), at: copy, options: options)
  }

  /// The model the store was written with, and a mapping model from it.
  private func mapping() throws -> (source: NSManagedObjectModel, mapping: NSMappingModel)? {
    let metadata = try driver.metadata(at: url)
    guard !target.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) else { return nil }
    let source =
      try driver.keptModel(at: url)
      ?? NSManagedObjectModel.mergedModel(from: bundles, forStoreMetadata: metadata)
    guard let source, source.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata),
      let mapping = given ?? NSMappingModel(from: bundles, forSourceModel: source, destinationModel: target)
    else { return nil }
    return (source, mapping)
  }
}

extension NSPersistentStoreCoordinator {
  /// Migrates a store in place, as a mapping model says. It must have a copy of its model.
  /// - Parameter configuration: the configuration whose entities the store holds; nil for all entities.
  /// - Returns: false, with nothing done, if the store does not have one or fits the target already.
  /// - Throws: the errors of `NSMigrationManager.migrateStore`; the store is then unchanged.
  package static func migrateStore(
    at url: URL, type: NSPersistentStore.StoreType = .sqlite, configuration: String?, to target: NSManagedObjectModel,
    by mapping: NSMappingModel, options: [AnyHashable: Any]? = nil
  ) throws -> Bool {
    guard let driver = try driver(ofType: type, at: url).migrating else { return false }
    return try MappedMigration(
      driver: driver, url: url, type: type, configuration: configuration, options: StoreOptions(options),
      target: target,
      given: mapping
    ).run()
  }
}
