/// A version of a program's models.
///
/// ```swift
/// enum LibrarySchemaV1: VersionedSchema {
///   static let versionIdentifier = Schema.Version(1, 0, 0)
///   static var models: [any PersistentModel.Type] { [Book.self] }
///
///   @Model final class Book {
///     var title: String
///     init(title: String) { self.title = title }
///   }
/// }
/// ```
///
/// See <https://developer.apple.com/documentation/swiftdata/versionedschema>
public protocol VersionedSchema: SendableMetatype {
  /// The classes of the version.
  static var models: [any PersistentModel.Type] { get }

  /// The version.
  static var versionIdentifier: Schema.Version { get }
}

extension Schema {
  /// Makes a schema of the classes of a version.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }
}

/// The versions of a program's models, and the ways from each to the next.
///
/// ```swift
/// enum LibraryMigrationPlan: SchemaMigrationPlan {
///   static var schemas: [any VersionedSchema.Type] {
///     [LibrarySchemaV1.self, LibrarySchemaV2.self]
///   }
///   static var stages: [MigrationStage] {
///     [
///       .lightweight(
///         fromVersion: LibrarySchemaV1.self, toVersion: LibrarySchemaV2.self)
///     ]
///   }
/// }
/// ```
///
/// A store of any of the versions is migrated when a container opens it. When several processes open it at the same time, one migrates it,
/// and the others wait.
///
/// See <https://developer.apple.com/documentation/swiftdata/schemamigrationplan>
public protocol SchemaMigrationPlan: SendableMetatype {
  /// The versions, oldest first.
  static var schemas: [any VersionedSchema.Type] { get }

  /// The ways from each version to the next.
  static var stages: [MigrationStage] { get }
}

/// The way from one version of a schema to another.
///
/// See <https://developer.apple.com/documentation/swiftdata/migrationstage>
public enum MigrationStage {
  /// The store changes alone: properties and classes are added, removed, renamed by `originalName`, or become optional.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)

  /// The program changes models in the old version before, and in the new version after the store's own changes. Each function
  /// saves its context.
  ///
  /// If `willMigrate` fails, the migration begins again with it when a container opens the store next. If `didMigrate` fails, the
  /// store has the new version already, and the function is not called again.
  @preconcurrency
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
}
