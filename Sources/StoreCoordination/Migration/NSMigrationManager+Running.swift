import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataRuntime

/// One migration in progress.
final class MigrationRun {
  let mapping: NSMappingModel
  let source: NSManagedObjectContext
  let destination: NSManagedObjectContext
  var current: NSEntityMapping?
  /// The policy of each mapping that has a destination, in the model's order.
  let steps: [(mapping: NSEntityMapping, policy: NSEntityMigrationPolicy)]

  init(
    _ mapping: NSMappingModel, of manager: NSMigrationManager, from source: NSManagedObjectContext,
    to destination: NSManagedObjectContext
  ) throws {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    steps = try (mapping.entityMappings ?? []).map { mapping in
      try Self.check(mapping, manager: manager)
      return (mapping, try Self.policy(of: mapping, manager))
    }
  }

  /// A mapping of missing entities would leave objects behind.
  private static func check(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    let (old, new) = (manager.sourceEntity(for: mapping), manager.destinationEntity(for: mapping))
    let problem: String? =
      if let name = mapping.sourceEntityName, old == nil {
        "the old model has no entity '\(name)'"
      } else if let name = mapping.destinationEntityName, new == nil {
        "the new model has no entity '\(name)'"
      } else {
        nil
      }
    guard let problem else { return }
    throw CocoaError.coreData(
      .migration,
      "Mismatch between mapping and source/destination models: of the entity mapping '\(mapping.name ?? "")', \(problem)."
    )
  }

  private static func policy(
    of mapping: NSEntityMapping, _ manager: NSMigrationManager
  ) throws -> NSEntityMigrationPolicy {
    guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else { return NSEntityMigrationPolicy() }
    for name in names(of: name, manager) {
      if let type = ProgramClasses.type(named: name, below: NSEntityMigrationPolicy.self) { return type.init() }
    }
    throw CocoaError.coreData(
      .entityPolicy,
      "The entity mapping '\(mapping.name ?? "")' names the policy class '\(name)', which is not in the program. Write it "
        + "with its module, as NSStringFromClass gives it.")
  }

  /// Possible names of a policy's class, since a mapping may name no module, or another program's: the full name as
  /// given; the short name in the modules of both models' classes and of the manager; the short name alone.
  private static func names(of name: String, _ manager: NSMigrationManager) -> [String] {
    let entities = manager.sourceModel.entities + manager.destinationModel.entities
    let classes = entities.compactMap(\.managedObjectClassName) + [TypeNames.full(of: type(of: manager))]
    let modules = Set(classes.filter { $0.contains(".") }.compactMap { $0.split(separator: ".").first })
    let short = name.split(separator: ".").last.map(String.init) ?? name
    return (name == short ? [] : [name]) + modules.sorted().map { "\($0).\(short)" } + [short]
  }
}

/// A store that a migration reads or writes.
struct StoreAddress {
  let url: URL
  let type: NSPersistentStore.StoreType
  var options: [AnyHashable: Any]?
}

extension NSMigrationManager {
  func migrate(from old: StoreAddress, _ mapping: NSMappingModel, to new: StoreAddress) throws {
    var reading = old
    reading.options = (old.options ?? [:]).merging([NSReadOnlyPersistentStoreOption: NSNumber(value: true)]) { $1 }
    let source = try context(of: sourceModel, for: reading, failingWith: .migrationSource)
    let destination = try context(of: destinationModel, for: new, failingWith: .migrationDestination)
    defer { for context in [source, destination] { close(context) } }
    for store in source.persistentStoreCoordinator?.persistentStores ?? [] {
      try NSPersistentStoreCoordinator.storeErrors { try store.backEnd.checkExternalData() }
    }
    let run = try MigrationRun(mapping, of: self, from: source, to: destination)
    self.run = run
    defer { self.run = nil }
    reset()
    try source.performAndWait {
      try destination.performAndWait {
        // A value that cannot be read must not be missing in the new store.
        try source.throwingFailedReads { try destination.throwingFailedReads { try carryOut(run) } }
        try destination.save()
      }
    }
    progress = 1
  }

  private func context(
    of model: NSManagedObjectModel, for place: StoreAddress, failingWith code: CocoaError.CoreDataCode
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    do {
      try coordinator.addPersistentStore(type: place.type, at: place.url, options: place.options)
    } catch {
      throw CocoaError.coreData(
        code, "Cannot migrate: the store '\(place.url.shown)' cannot be opened. \(error.localizedDescription)",
        cause: error)
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.objectClass = NSManagedObject.self
    return context
  }

  private func close(_ context: NSManagedObjectContext) {
    guard let coordinator = context.persistentStoreCoordinator else { return }
    // If a store does not close, the migration is done all the same.
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
  }

  private func carryOut(_ run: MigrationRun) throws {
    try pass(run, upTo: 0.5) { mapping, policy in
      try policy.begin(mapping, with: self)
      for object in try sources(of: mapping, policy) {
        try policy.createDestinationInstances(forSource: object, in: mapping, manager: self)
        try checkCancellation()
      }
      try policy.endInstanceCreation(forMapping: mapping, manager: self)
    }
    try pass(run, upTo: 0.8) { mapping, policy in
      for object in destinationInstances(forEntityMappingName: mapping.name ?? "", sourceInstances: nil) {
        try policy.createRelationships(forDestination: object, in: mapping, manager: self)
        try checkCancellation()
      }
      try policy.endRelationshipCreation(forMapping: mapping, manager: self)
    }
    try pass(run, upTo: 0.9) { mapping, policy in
      try policy.performCustomValidation(forMapping: mapping, manager: self)
      try policy.end(mapping, manager: self)
    }
  }

  private func pass(
    _ run: MigrationRun, upTo end: Float, body: (NSEntityMapping, NSEntityMigrationPolicy) throws -> Void
  ) throws {
    let (start, count) = (progress, Float(max(1, run.steps.count)))
    for (number, step) in run.steps.enumerated() {
      run.current = step.mapping
      try body(step.mapping, step.policy)
      try checkCancellation()
      progress = start + (end - start) * Float(number + 1) / count
    }
    run.current = nil
  }
}
