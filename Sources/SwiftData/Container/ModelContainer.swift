import CoreData
import Foundation
import Synchronization

/// The stores of a schema.
///
/// ```swift
/// let container = try ModelContainer(for: Book.self)
/// let context = ModelContext(container)
/// context.insert(Book(title: "Orlando"))
/// try context.save()
/// ```
///
/// Several processes may open the same file: each sees what the others save.
///
/// See <https://developer.apple.com/documentation/swiftdata/modelcontainer>
public class ModelContainer: Equatable, @unchecked Sendable {
  // Sendable: nothing changes after the initializer except the main context, which the main actor makes and uses.

  /// The schema.
  public final let schema: Schema
  /// The configurations of the stores.
  public final let configurations: Set<ModelConfiguration>
  /// The versions of the schema that a store may have; nil if only differences that need no plan are migrated.
  public final let migrationPlan: (any SchemaMigrationPlan.Type)?
  final let coordinator: NSPersistentStoreCoordinator
  final let classes: ModelClasses
  @MainActor private var heldMainContext: ModelContext?

  /// The context of the main actor. It saves automatically, and shows what other contexts and processes save.
  @MainActor public var mainContext: ModelContext {
    if let heldMainContext { return heldMainContext }
    let context = ModelContext(mainContextOf: self)
    heldMainContext = context
    return context
  }

  /// Opens the stores of a schema, and creates those that do not exist.
  ///
  /// - Parameters:
  ///   - givenSchema: the schema.
  ///   - migrationPlan: migrates a store of an older version; nil if only differences that need no plan are migrated.
  ///   - configurations: the stores; the default one with all models if the list is empty.
  /// - Throws: `SwiftDataError.backwardMigration` if a store has a later version, and `.loadIssueModelContainer` if it cannot be
  ///   opened or migrated.
  public init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    let configurations = configurations.isEmpty ? [ModelConfiguration()] : configurations
    (schema, self.migrationPlan) = (givenSchema, migrationPlan)
    self.configurations = Set(configurations)
    classes = ModelClasses(givenSchema)
    coordinator = try StoreLoader(schema: givenSchema, plan: migrationPlan, configurations: configurations)
      .coordinator()
  }

  /// Makes a container of stores that are open already.
  init(_ schema: Schema, _ coordinator: NSPersistentStoreCoordinator) {
    (self.schema, self.coordinator, classes) = (schema, coordinator, ModelClasses(schema))
    (configurations, migrationPlan) = ([], nil)
  }

  /// Opens the stores of a schema, and creates those that do not exist.
  ///
  /// - Parameters:
  ///   - givenSchema: the schema.
  ///   - migrationPlan: migrates a store of an older version; nil if only differences that need no plan are migrated.
  ///   - configurations: the stores; the default one with all models if the list is empty.
  /// - Throws: `SwiftDataError.backwardMigration` if a store has a later version, and `.loadIssueModelContainer` if it cannot be
  ///   opened or migrated.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the stores of model classes, and creates those that do not exist.
  ///
  /// - Parameters:
  ///   - forTypes: the classes; those that their relationships lead to are added.
  ///   - migrationPlan: migrates a store of an older version; nil if only differences that need no plan are migrated.
  ///   - configurations: the stores; the default one with all models if the list is empty.
  /// - Throws: `SwiftDataError.backwardMigration` if a store has a later version, and `.loadIssueModelContainer` if it cannot be
  ///   opened or migrated.
  public convenience init(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws { try self.init(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations) }

  /// The container of the fetch whose predicate is being read: it finds the objects of decoded identifiers, and knows subclasses.
  @TaskLocal static var ofFetch: ModelContainer?

  /// Returns the class of an entity's objects.
  final func model(ofEntity name: String) -> (any PersistentModel.Type)? { classes.byEntity[name] }

  /// Checks that a class is in the schema: another version of it has the same entity.
  ///
  /// - Throws: `SwiftDataError.unknownSchema` if it is not.
  final func check(_ model: any PersistentModel.Type) throws {
    guard classes.byEntity[Schema.name(of: model)] == model else {
      throw SwiftDataError.unknownSchema.because(
        "\(String(reflecting: model)) is not in the schema of the container: \(schema.entities.map(\.name))")
    }
  }

  /// Returns the managed object's ID for an identifier; nil if it is of no store of the container.
  final func managedObjectID(_ id: PersistentIdentifier) -> NSManagedObjectID? {
    id.objectID ?? id.uri.flatMap(coordinator.managedObjectID(forURIRepresentation:))
  }

  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs === rhs }
}

/// Opens the stores of a container.
struct StoreLoader {
  let schema: Schema
  let plan: (any SchemaMigrationPlan.Type)?
  let configurations: [ModelConfiguration]

  func coordinator() throws -> NSPersistentStoreCoordinator {
    let files = configurations.filter { !$0.isStoredInMemoryOnly }.map(\.url.standardizedFileURL)
    guard Set(files).count == files.count else {
      throw SwiftDataError.duplicateConfiguration.because("two configurations have the same file: \(files.map(\.path))")
    }
    let model = SchemaModel(schema).model
    for (index, configuration) in configurations.enumerated() {
      guard let part = configuration.schema else { continue }
      let entities = part.entities.compactMap { model.entitiesByName[$0.name] }
      guard entities.count == part.entities.count else {
        throw SwiftDataError.configurationSchemaNotFoundInContainerSchema.because("'\(configuration.name)'")
      }
      model.setEntities(entities, forConfigurationName: Self.name(index))
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    for (index, configuration) in configurations.enumerated() {
      try add(configuration, Self.name(index), to: coordinator)
    }
    return coordinator
  }

  /// The name of a configuration in the model: those of the program's need not differ.
  private static func name(_ index: Int) -> String { "Configuration \(index)" }

  private func add(
    _ configuration: ModelConfiguration, _ name: String, to coordinator: NSPersistentStoreCoordinator
  ) throws {
    var options: [AnyHashable: Any] = [
      NSPersistentHistoryTrackingKey: true as NSNumber, NSReadOnlyPersistentStoreOption: !configuration.allowsSave,
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = plan.flatMap { PlannedMigration($0).manager }
    do {
      _ = try coordinator.addPersistentStore(
        ofType: configuration.isStoredInMemoryOnly ? NSInMemoryStoreType : NSSQLiteStoreType,
        configurationName: configuration.schema == nil ? nil : name,
        at: configuration.isStoredInMemoryOnly ? nil : configuration.url,
        options: configuration.isStoredInMemoryOnly ? nil : options)
    } catch let error as CocoaError where error.code.rawValue == 134_506 {
      throw SwiftDataError.backwardMigration.because("\(error.localizedDescription)")
    } catch {
      throw SwiftDataError.loadIssueModelContainer.because("\(error)")
    }
  }
}
