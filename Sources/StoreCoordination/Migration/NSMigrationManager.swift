import Foundation
import StrataManagedModel
import StrataObjectGraph

/// Migrates a store object by object, as a mapping model says.
///
/// ```swift
/// let manager = NSMigrationManager(
///   sourceModel: oldModel, destinationModel: newModel)
/// let mapping = try NSMappingModel.inferredMappingModel(
///   forSourceModel: oldModel, destinationModel: newModel)
/// try manager.migrateStore(
///   from: oldURL, type: .sqlite, mapping: mapping, to: newURL, type: .sqlite)
/// ```
///
/// Use it from one thread at a time. See <doc:MigratingAStore> and
/// <https://developer.apple.com/documentation/coredata/nsmigrationmanager>
open class NSMigrationManager: NSObject {
  /// The model of the source store.
  open var sourceModel: NSManagedObjectModel { models.source }
  /// The model of the destination store.
  open var destinationModel: NSManagedObjectModel { models.destination }
  private let models: (source: NSManagedObjectModel, destination: NSManagedObjectModel)
  /// Information for migration policies.
  open var userInfo: [AnyHashable: Any]?
  /// Whether a store may be migrated by a faster manager of its own. This manager always migrates object by object.
  open var usesStoreSpecificMigrationManager = true
  /// The progress, from 0 to 1. It can be observed. A subclass that overrides it announces its changes with
  /// `willChangeValue(forKey:)` and `didChangeValue(forKey:)`.
  open var migrationProgress: Float { progress }
  var progress: Float = 0 {
    willSet { observers.notifyPrior(progress) }
    didSet { observers.notify(from: oldValue, to: progress) }
  }
  let observers = ProgressObservers()

  var associations = MigratedObjects()
  var run: MigrationRun?
  private var cancellation: (any Error)?

  /// Creates a manager for a migration between two models.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    models = (sourceModel, destinationModel)
    super.init()
  }

  /// Migrates a store into another one, which may already have objects. The source store does not change.
  ///
  /// There are three passes over the mappings, for objects, relationships and validation. Then everything is saved
  /// together.
  /// - Parameter mapping: what each source object becomes. Objects of entities without a mapping are left behind.
  /// - Throws: `CocoaError` 134150 or 134160 if a store cannot be opened, 134120 after `cancelMigrationWithError(_:)`,
  ///   134170 if a policy class is missing, the errors of policies, and the errors of a save.
  open func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType, options sourceOptions: [AnyHashable: Any]? = nil,
    mapping: NSMappingModel, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrate(
      from: StoreAddress(url: sourceURL, type: sourceType, options: sourceOptions), mapping,
      to: StoreAddress(url: destinationURL, type: destinationType, options: destinationOptions))
  }

  /// Migrates a store into another one.
  /// - Throws: the errors of `migrateStore(from:type:options:mapping:to:type:options:)`; `CocoaError` 134140 without a
  ///   mapping model.
  open func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    guard let mappings else {
      throw CocoaError.coreData(
        .missingMapping,
        "Cannot migrate the store '\(sourceURL.shown)' without a mapping model: infer one, or make one.",
        userInfo: [
          "sourceModel": sourceModel, "destinationModel": destinationModel, "reason": CocoaError.noMappingReason,
        ])
    }
    try migrateStore(
      from: sourceURL, type: .init(rawValue: sStoreType), options: sOptions, mapping: mappings, to: dURL,
      type: .init(rawValue: dStoreType), options: dOptions)
  }

  /// The mapping model of the running migration. For use in policies only.
  open var mappingModel: NSMappingModel { running.mapping }
  /// The context with the source objects. For use in policies only.
  open var sourceContext: NSManagedObjectContext { running.source }
  /// The context with the destination objects. For use in policies only.
  open var destinationContext: NSManagedObjectContext { running.destination }
  /// The mapping that is being carried out. For use in policies only.
  open var currentEntityMapping: NSEntityMapping {
    guard let mapping = running.current else { fatalError("No entity mapping is carried out now.") }
    return mapping
  }

  private var running: MigrationRun {
    guard let run else { fatalError("The migration manager has this only while it migrates a store.") }
    return run
  }

  /// Returns the source entity of a mapping; nil if the mapping adds an entity.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// Returns the destination entity of a mapping; nil if the mapping removes an entity.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Makes the migration end with an error after the current object. Nothing is saved.
  open func cancelMigrationWithError(_ error: any Error) { cancellation = error }

  /// Forgets the associations between source and destination objects.
  open func reset() {
    associations = MigratedObjects()
    cancellation = nil
    progress = 0
  }

  func checkCancellation() throws {
    guard let cancellation else { return }
    throw CocoaError.coreData(
      .migrationCancelled, "The migration was canceled; nothing was saved.", cause: cancellation)
  }

  /// Associates a source object with the destination object that it became.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations.add(sourceInstance, became: destinationInstance, by: entityMapping.name ?? "")
  }

  /// Returns the destination objects that source objects became through a mapping. Without source objects, returns all
  /// destination objects of the mapping.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.successors(mappingName, of: sourceInstances)
  }

  /// Returns the source objects of destination objects through a mapping. Without destination objects, returns all
  /// source objects of the mapping.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.predecessors(mappingName, of: destinationInstances)
  }

  /// The new object that any mapping made of an old one.
  func successors(of object: NSManagedObject) -> [NSManagedObject] { associations.successors(of: object) }
}

/// Which objects became which, by which mapping.
struct MigratedObjects {
  private var pairs: [String: [(old: NSManagedObject, new: NSManagedObject)]] = [:]
  private var successors: [ObjectIdentifier: [(mapping: String, new: NSManagedObject)]] = [:]
  private var predecessors: [ObjectIdentifier: [(mapping: String, old: NSManagedObject)]] = [:]

  mutating func add(_ old: NSManagedObject, became new: NSManagedObject, by mapping: String) {
    pairs[mapping, default: []].append((old, new))
    successors[ObjectIdentifier(old), default: []].append((mapping, new))
    predecessors[ObjectIdentifier(new), default: []].append((mapping, old))
  }

  func successors(of old: NSManagedObject) -> [NSManagedObject] {
    successors[ObjectIdentifier(old)]?.map(\.new) ?? []
  }

  func successors(_ mapping: String, of old: [NSManagedObject]?) -> [NSManagedObject] {
    guard let old else { return pairs[mapping]?.map(\.new) ?? [] }
    return old.flatMap { successors[ObjectIdentifier($0)]?.filter { $0.mapping == mapping }.map(\.new) ?? [] }
  }

  func predecessors(_ mapping: String, of new: [NSManagedObject]?) -> [NSManagedObject] {
    guard let new else { return pairs[mapping]?.map(\.old) ?? [] }
    return new.flatMap { predecessors[ObjectIdentifier($0)]?.filter { $0.mapping == mapping }.map(\.old) ?? [] }
  }
}
