import Foundation
import ManagedModel
import ObjectGraph
import SQLStore

/// Option: the stages by which an older store is brought to the model, an `NSStagedMigrationManager`. Both
/// `NSMigratePersistentStoresAutomaticallyOption` and `NSInferMappingModelAutomaticallyOption` are to be true beside it.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"

/// Brings an older store to the newest model in stages: each in a transaction of its own, in their order.
/// See https://developer.apple.com/documentation/coredata/nsstagedmigrationmanager
open class NSStagedMigrationManager: NSObject {
  /// The stages; every version that a store may have occurs in one.
  public let stages: [NSMigrationStage]
  /// While a handler of a custom stage runs: the store in the version before or after, its objects all plain
  /// `NSManagedObject`s, since the program's classes may not fit that version.
  public private(set) var container: NSPersistentContainer?

  init(stages: [NSMigrationStage]) {
    self.stages = stages
    super.init()
  }

  /// A manager for stages, the oldest version first.
  public convenience init(_ stages: [NSMigrationStage]) { self.init(stages: stages) }

  /// Brings a store to a model; does nothing for one that is not there or fits. Of several processes that open an old
  /// store at once one goes through the stages, its handlers included, and the others wait and find it done.
  func migrate(
    _ url: URL, configuration: String?, options: [AnyHashable: Any]?, to model: NSManagedObjectModel
  ) throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    let store = StagedStore(url: url, configuration: configuration, options: options, target: model)
    guard try store.oldHashes() != nil else { return }
    try NSPersistentStoreCoordinator.storeErrors {
      let patience = NSPersistentStoreCoordinator.patience(options)
      try SQLStore.migrateInStages(at: url, timeout: patience) { try goThroughStages(store) }
    }
  }

  private func goThroughStages(_ store: StagedStore) throws {
    while let hashes = try store.oldHashes() {
      let checksum = NSManagedObjectModel.checksum(of: hashes)
      guard let place = stages.firstIndex(where: { $0.leads(from: checksum) }) else { throw unknown(store, checksum) }
      if isBackward(place, store.target.versionChecksum) { throw unknown(store, checksum) }
      try carryOut(stages[place], store)
      let reached = try store.oldHashes().map(NSManagedObjectModel.checksum)
      guard reached != checksum else { throw unknown(store, checksum) }
    }
  }

  private func carryOut(_ stage: NSMigrationStage, _ store: StagedStore) throws {
    switch stage {
    case let stage as NSCustomMigrationStage:
      let (old, new) = (try stage.currentModel.resolve().plain, try stage.nextModel.resolve().plain)
      try run(stage.willMigrateHandler, stage, store, old)
      try store.open(new, migrating: true) { _ in }
      try run(stage.didMigrateHandler, stage, store, new)
    case let stage as NSLightweightMigrationStage:
      try store.open(try model(at: stage.versionChecksums.last ?? "", store), migrating: true) { _ in }
    default: return
    }
  }

  private func run(
    _ handler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?, _ stage: NSCustomMigrationStage,
    _ store: StagedStore, _ model: NSManagedObjectModel
  ) throws {
    guard let handler else { return }
    try store.open(model, migrating: false) { opened in
      container = opened
      defer { container = nil }
      try handler(self, stage)
    }
  }

  /// The model of a version: the newest one, one that a custom stage refers to, or one that the program carries.
  private func model(at checksum: String, _ store: StagedStore) throws -> NSManagedObjectModel {
    if store.target.versionChecksum == checksum { return store.target }
    let references = stages.compactMap { $0 as? NSCustomMigrationStage }.flatMap { [$0.currentModel, $0.nextModel] }
    if let reference = references.first(where: { $0.versionChecksum == checksum }) {
      return try reference.resolve().plain
    }
    throw CocoaError.coreData(
      .missingModelReference,
      "The model version \(checksum) of a lightweight stage is not that of a custom stage beside it, nor the newest one. "
        + "End the stage with such a version.")
  }

  /// Whether the wanted version lies before a stage.
  private func isBackward(_ place: Int, _ checksum: String) -> Bool {
    !stages[place...].contains { $0.knows(checksum) } && stages[..<place].contains { $0.knows(checksum) }
  }

  private func unknown(_ store: StagedStore, _ checksum: String) -> CocoaError {
    let newest = store.target.versionChecksum
    let last = stages.lastIndex { $0.knows(checksum) }
    if let last, let wanted = stages.firstIndex(where: { $0.knows(newest) }), wanted <= last {
      return CocoaError.coreData(
        .backwardMigration,
        "Cannot migrate the store '\(store.url.path)' back from the version \(checksum) to \(newest): use a newer program."
      )
    }
    return CocoaError.coreData(
      .missingModelReference,
      "Cannot migrate the store '\(store.url.path)': no stage leads from its version \(checksum) to \(newest). Every version "
        + "must occur in a stage.")
  }
}

extension NSMigrationStage {
  /// Whether the stage takes a store of a version further.
  fileprivate func leads(from checksum: String) -> Bool {
    switch self {
    case let stage as NSCustomMigrationStage: stage.currentModel.versionChecksum == checksum
    case let stage as NSLightweightMigrationStage: stage.versionChecksums.dropLast().contains(checksum)
    default: false
    }
  }

  fileprivate func knows(_ checksum: String) -> Bool {
    switch self {
    case let stage as NSCustomMigrationStage:
      [stage.currentModel.versionChecksum, stage.nextModel.versionChecksum].contains(checksum)
    case let stage as NSLightweightMigrationStage: stage.versionChecksums.contains(checksum)
    default: false
    }
  }
}

extension NSManagedObjectModel {
  /// A copy whose objects are all plain managed objects.
  fileprivate var plain: NSManagedObjectModel {
    // `copy()` of a model is a model.
    let copy = copy() as! NSManagedObjectModel
    for entity in copy.entities { entity.managedObjectClassName = nil }
    return copy
  }
}

/// The store of a staged migration.
struct StagedStore {
  let url: URL
  let configuration: String?
  let options: [AnyHashable: Any]?
  let target: NSManagedObjectModel

  /// The hashes of the store's version; nil once it is the wanted one.
  func oldHashes() throws -> [String: Data]? {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    guard !target.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) else { return nil }
    return metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  }

  /// Opens the store with a version, and closes it after `body`.
  func open(_ model: NSManagedObjectModel, migrating: Bool, _ body: (NSPersistentContainer) throws -> Void) throws {
    let container = NSPersistentContainer(
      name: url.deletingPathExtension().lastPathComponent, managedObjectModel: model)
    var options = self.options ?? [:]
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = nil
    options[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: migrating)
    options[NSInferMappingModelAutomaticallyOption] = NSNumber(value: migrating)
    let coordinator = container.persistentStoreCoordinator
    let store = try coordinator.addPersistentStore(
      type: .sqlite, configuration: configuration, at: url, options: options)
    let result = Result { try body(container) }
    try coordinator.remove(store)
    try result.get()
  }
}
