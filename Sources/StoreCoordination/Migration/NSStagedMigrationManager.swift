import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// Store option: the `NSStagedMigrationManager` that migrates a store of an older model version.
///
/// `NSMigratePersistentStoresAutomaticallyOption` and `NSInferMappingModelAutomaticallyOption` must be true as well.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"

/// Migrates a store to the newest model version in stages, each in its own transaction.
///
/// ```swift
/// let lightweight = NSLightweightMigrationStage([checksum1, checksum2])
/// let custom = NSCustomMigrationStage(
///   migratingFrom: NSManagedObjectModelReference(
///     model: oldModel, versionChecksum: checksum2),
///   to: NSManagedObjectModelReference(
///     model: newModel, versionChecksum: checksum3))
/// custom.didMigrateHandler = { manager, stage in
///   let context = manager.container!.newBackgroundContext()
///   try context.performAndWait {
///     let people = NSFetchRequest<NSManagedObject>(entityName: "Person")
///     for person in try context.fetch(people) {
///       person.setValue("unknown", forKey: "country")
///     }
///     try context.save()
///   }
/// }
/// description.setOption(
///   NSStagedMigrationManager([lightweight, custom]),
///   forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// See <doc:MigratingAStore> and <https://developer.apple.com/documentation/coredata/nsstagedmigrationmanager>
open class NSStagedMigrationManager: NSObject {
  /// The stages. Every version that a store may have must be in one of them.
  public let stages: [NSMigrationStage]
  /// A container with the store, while a handler of a custom stage runs. Its objects are plain `NSManagedObject`s,
  /// since the program's classes may not fit that version.
  public private(set) var container: NSPersistentContainer?

  init(stages: [NSMigrationStage]) {
    self.stages = stages
    super.init()
  }

  /// Creates a manager with stages, oldest version first.
  public convenience init(_ stages: [NSMigrationStage]) { self.init(stages: stages) }

  /// Migrates a store to its target model; does nothing if the store does not exist or fits already. When several
  /// processes open an old store simultaneously, one goes through the stages and their handlers, and the others wait and find
  /// it done.
  func migrate(_ store: StagedStore) throws {
    try NSPersistentStoreCoordinator.storeErrors {
      guard try store.driver.exists(at: store.url), try store.oldHashes() != nil else { return }
      try store.driver.migrateInStages(at: store.url, options: store.options) { try goThroughStages(store) }
    }
  }

  private func goThroughStages(_ store: StagedStore) throws {
    let way = StageWay(stages)
    // Every round advances by at least one version, unless the stages form a circle.
    for _ in 0...way.versions.count {
      guard let hashes = try store.oldHashes() else { return }
      let checksum = hashes.versionChecksum
      switch way.step(from: checksum, to: store.target.versionChecksum) {
      case .custom(let stage): try carryOut(stage, on: store)
      case .light(let end): try store.open(end?.currentModel.resolve() ?? store.target, migrating: true) { _ in }
      case .back: throw backward(store, from: checksum)
      case nil: throw unknown(store, at: checksum)
      }
      let reached = try store.oldHashes()?.versionChecksum
      guard reached != checksum else { throw unknown(store, at: checksum) }
    }
    throw unknown(store, at: try store.oldHashes()?.versionChecksum ?? "")
  }

  private func carryOut(_ stage: NSCustomMigrationStage, on store: StagedStore) throws {
    let (old, new) = (try stage.currentModel.resolve(), try stage.nextModel.resolve())
    try run(stage.willMigrateHandler, of: stage, on: store, as: old.plain)
    // The handler may have filled in what the new model requires, so the rows decide, not the models.
    try store.open(new, migrating: true, checksRows: true) { _ in }
    try run(stage.didMigrateHandler, of: stage, on: store, as: new.plain)
  }

  private func run(
    _ handler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?, of stage: NSCustomMigrationStage,
    on store: StagedStore, as model: NSManagedObjectModel
  ) throws {
    guard let handler else { return }
    try store.open(model, migrating: false) { opened in
      container = opened
      defer { container = nil }
      try handler(self, stage)
    }
  }

  private func backward(_ store: StagedStore, from checksum: String) -> CocoaError {
    CocoaError.coreData(
      .backwardMigration,
      "Cannot migrate the store '\(store.url.shown)' back from the version \(checksum) to \(store.target.versionChecksum): use "
        + "a newer program.")
  }

  private func unknown(_ store: StagedStore, at checksum: String) -> CocoaError {
    CocoaError.coreData(
      .missingModelReference,
      "Cannot migrate the store '\(store.url.shown)': no stage leads from its version \(checksum) to "
        + "\(store.target.versionChecksum). Every version must occur in a stage.")
  }
}

extension NSManagedObjectModel {
  /// A copy whose entities all use plain managed objects.
  fileprivate var plain: NSManagedObjectModel {
    // A copy of a model is a model.
    let copy = copy() as! NSManagedObjectModel
    for entity in copy.entities { entity.managedObjectClassName = nil }
    return copy
  }
}

extension StoreOptions {
  /// The stages by which an older store is brought to the model, if there are any.
  var stages: NSStagedMigrationManager? {
    infersMapping ? given[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager : nil
  }
}

/// A store in a staged migration.
struct StagedStore {
  let driver: any StoreMigrating
  let url: URL
  let type: NSPersistentStore.StoreType
  let configuration: String?
  let options: StoreOptions
  let target: NSManagedObjectModel

  /// The hashes of the store's version; nil once it is the target.
  func oldHashes() throws -> [String: Data]? {
    let metadata = try driver.metadata(at: url)
    guard !target.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) else { return nil }
    return metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  }

  /// Opens the store with a version of its model, and closes it after `body`.
  /// - Parameter checksRows: whether an attribute may become mandatory if all rows have a value.
  func open(
    _ model: NSManagedObjectModel, migrating: Bool, checksRows: Bool = false,
    body: (NSPersistentContainer) throws -> Void
  ) throws {
    let container = NSPersistentContainer(
      name: url.deletingPathExtension().lastPathComponent, managedObjectModel: model)
    var options = self.options.given
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = nil
    options[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: migrating)
    options[NSInferMappingModelAutomaticallyOption] = NSNumber(value: migrating)
    options[StoreOptions.checksRowsKey] = NSNumber(value: checksRows)
    let coordinator = container.persistentStoreCoordinator
    let store = try coordinator.addPersistentStore(
      type: type, configuration: configuration, at: url, options: options)
    let result = Result { try body(container) }
    try coordinator.remove(store)
    try result.get()
  }
}
