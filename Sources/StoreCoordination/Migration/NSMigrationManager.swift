import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataObjectGraph

/// Migrates a store by its objects: reads those of the old one, and makes those of the new one as a mapping model says.
///
/// It belongs to one thread at a time. See https://developer.apple.com/documentation/coredata/nsmigrationmanager
open class NSMigrationManager: NSObject {
  /// The model of the old store.
  public let sourceModel: NSManagedObjectModel
  /// The model of the new store.
  public let destinationModel: NSManagedObjectModel
  /// Whatever policies need to know.
  public var userInfo: [AnyHashable: Any]?
  /// Whether a store may be migrated in a quicker way of its own. This manager always goes by objects.
  public var usesStoreSpecificMigrationManager = true
  /// How much is done, from 0 to 1. It can be observed.
  public internal(set) var migrationProgress: Float = 0 {
    willSet { observers.tellPrior(migrationProgress) }
    didSet { observers.tell(from: oldValue, to: migrationProgress) }
  }
  let observers = ProgressObservers()

  var associations = MigratedObjects()
  var run: MigrationRun?
  private var cancellation: (any Error)?

  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    super.init()
  }

  /// The mapping model of the migration that runs; to be asked by policies alone.
  public var mappingModel: NSMappingModel { running.mapping }
  /// The context with the old objects; to be asked by policies alone.
  public var sourceContext: NSManagedObjectContext { running.source }
  /// The context with the new objects; to be asked by policies alone.
  public var destinationContext: NSManagedObjectContext { running.destination }
  /// The mapping that is carried out; to be asked by policies alone.
  public var currentEntityMapping: NSEntityMapping {
    guard let mapping = running.current else { fatalError("No entity mapping is carried out now.") }
    return mapping
  }

  private var running: MigrationRun {
    guard let run else { fatalError("The migration manager has this only while it migrates a store.") }
    return run
  }

  /// The old entity of a mapping; nil for one that is new.
  public func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// The new entity of a mapping; nil for one that is gone.
  public func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Has the migration end with an error after the object that is being migrated; nothing is saved.
  public func cancelMigrationWithError(_ error: any Error) { cancellation = error }

  /// Forgets which objects became which.
  public func reset() {
    associations = MigratedObjects()
    cancellation = nil
    migrationProgress = 0
  }

  func checkCancellation() throws {
    guard let cancellation else { return }
    throw CocoaError.coreData(
      .migrationCancelled, "The migration was cancelled; nothing was saved.", cause: cancellation)
  }

  /// Says that a new object is what became of an old one.
  public func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations.add(sourceInstance, destinationInstance, entityMapping.name ?? "")
  }

  /// What old objects became by a mapping; all that came of it if none is named.
  public func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.successors(mappingName, of: sourceInstances)
  }

  /// What new objects were before, by a mapping; all that it was carried out for if none is named.
  public func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.predecessors(mappingName, of: destinationInstances)
  }

  /// What an old object became, by any mapping.
  func successors(of object: NSManagedObject) -> [NSManagedObject] { associations.successors(of: object) }
}

/// Which objects became which, by the mapping that did it.
struct MigratedObjects {
  private var pairs: [String: [(old: NSManagedObject, new: NSManagedObject)]] = [:]
  private var successors: [ObjectIdentifier: [(mapping: String, new: NSManagedObject)]] = [:]
  private var predecessors: [ObjectIdentifier: [(mapping: String, old: NSManagedObject)]] = [:]

  mutating func add(_ old: NSManagedObject, _ new: NSManagedObject, _ mapping: String) {
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
