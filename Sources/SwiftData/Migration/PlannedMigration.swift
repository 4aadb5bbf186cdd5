import CoreData

/// A migration plan as Core Data's stages.
struct PlannedMigration {
  private let stages: [NSMigrationStage]

  init(_ plan: any SchemaMigrationPlan.Type) { stages = plan.stages.map(Self.stage) }

  /// The manager that migrates a store; nil for a plan without stages.
  var manager: NSStagedMigrationManager? { stages.isEmpty ? nil : NSStagedMigrationManager(stages) }

  private static func stage(_ stage: MigrationStage) -> NSMigrationStage {
    switch stage {
    case .lightweight(let from, let to):
      return NSLightweightMigrationStage([Version(from), Version(to)].map(\.model.versionChecksum))
    case .custom(let from, let to, let willMigrate, let didMigrate):
      let (old, new) = (Version(from), Version(to))
      let custom = NSCustomMigrationStage(migratingFrom: old.reference, to: new.reference)
      custom.label = "\(from) → \(to)"
      custom.willMigrateHandler = willMigrate.map { body in { manager, _ in try body(old.context(of: manager)) } }
      custom.didMigrateHandler = didMigrate.map { body in { manager, _ in try body(new.context(of: manager)) } }
      return custom
    }
  }

  /// A version of the schema during the migration.
  private struct Version {
    let schema: Schema
    let model: NSManagedObjectModel

    init(_ version: any VersionedSchema.Type) {
      schema = Schema(versionedSchema: version)
      model = SchemaModel(schema).model
    }

    var reference: NSManagedObjectModelReference {
      NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    /// A context of the store that is being migrated.
    func context(of manager: NSStagedMigrationManager) throws -> ModelContext {
      guard let container = manager.container else {
        throw SwiftDataError.loadIssueModelContainer.because("the store of the migration is not open.")
      }
      return ModelContext(ModelContainer(schema, container.persistentStoreCoordinator))
    }
  }
}
