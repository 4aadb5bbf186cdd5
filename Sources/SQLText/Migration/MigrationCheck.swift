import Foundation
import StrataManagedModel
import StrataRowStore

/// Finds the model that an old store was written with, and refuses to migrate where that would delete what others need.
package struct MigrationCheck: Sendable {
  /// The store, as named in messages.
  package let store: String
  /// The model to migrate to, and the configuration of it that the store holds.
  package let model: NSManagedObjectModel
  package let configuration: String?
  package let migration: InferredMigration

  package init(store: String, model: NSManagedObjectModel, configuration: String?, migration: InferredMigration) {
    self.store = store
    self.model = model
    self.configuration = configuration
    self.migration = migration
  }

  /// A store's model and the configuration of it that the store holds.
  package typealias Source = (model: NSManagedObjectModel, configuration: String?)

  /// The model that the store was written with.
  /// - Parameter kept: the copy in the store.
  /// - Throws: `.missingSourceModel`.
  package func source(kept: NSManagedObjectModel?, metadata: [String: any Sendable]) throws -> Source {
    if let source = kept.flatMap({ Self.fitting($0, metadata) }) { return source }
    if let source = migration.findModel(metadata).flatMap({ Self.fitting($0, metadata) }) { return source }
    let names = (metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]).keys.sorted()
    throw StoreError(
      .missingSourceModel,
      "Cannot migrate the store '\(store)': the model that wrote it is neither in the store nor in the program; its "
        + "entities are \(names.joined(separator: ", ")). Add that version of the model to the new one's versions.")
  }

  /// The configuration of a model that the store holds.
  private static func fitting(_ model: NSManagedObjectModel, _ metadata: [String: any Sendable]) -> Source? {
    ([nil] + model.configurations).first {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }.map { (model, $0) }
  }

  /// The difference between a store's model and the new one, for the entities that stores with these schemas hold.
  /// - Throws: `.missingMapping` for a difference that cannot be inferred.
  package func difference(
    from source: Source, _ old: StoreSchema, to new: StoreSchema
  ) throws -> ModelDifference {
    do {
      return try ModelDifference(
        from: old.layouts.map(source.model.entity), to: new.layouts.map(model.entity),
        checkingRows: migration.checksRows)
    } catch let error as CocoaError {
      throw noMapping(error)
    }
  }

  /// - Throws: `.missingSourceModel` for a store that a newer program has migrated, `.incompatibleModel` for one that
  ///   seems to be another program's.
  package func refuse(_ source: Source, metadata: [String: any Sendable]) throws {
    try refuseNewer(metadata)
    try refuseForeign(source, metadata: metadata)
  }

  /// A store that a newer program has migrated from this very model is not migrated back, which would drop what the
  /// newer model added. Apple's framework finds no source model then; one that the program has allows the migration.
  private func refuseNewer(_ metadata: [String: any Sendable]) throws {
    let new = model.freeze().layouts(ofConfiguration: configuration) ?? []
    guard StoreMetadata.haveLeft(new.versionHashes, in: metadata), migration.findModel(metadata) == nil else { return }
    throw StoreError(
      .missingSourceModel,
      "Cannot open the store '\(store)': a newer version of the program has migrated it from this version of the model, "
        + "and migrating it back would delete what the newer version added. Use the newer program. If this model is the "
        + "newer one, add the version that it replaces, or change the version hash modifier of an entity.")
  }

  /// A store that shares no entity with any known version of the model belongs to another program: the inferred
  /// migration would drop every table. Entities that a newer version of the program's own model lacks are dropped with
  /// their rows.
  private func refuseForeign(_ source: Source, metadata: [String: any Sendable]) throws {
    let old = source.model.entities(forConfigurationName: source.configuration) ?? []
    let new = model.entities(forConfigurationName: configuration) ?? []
    guard !old.isEmpty, !ModelDifference(comparing: old, to: new).carriesOver, migration.findModel(metadata) == nil
    else { return }
    func list(_ names: [String?]) -> String { names.map { $0 ?? "" }.sorted().joined(separator: ", ") }
    throw StoreError(
      .incompatibleModel,
      "Cannot open the store '\(store)': its entities (\(list(old.map(\.name)))) and those of the model (\(list(new.map(\.name)))) have nothing in "
        + "common, so it seems to belong to another program, and migrating it would delete its contents. Give this program's "
        + "store another URL. If the store does belong to this program, add the old version of the model, set renaming "
        + "identifiers to the old names of the entities, or destroy the store to start empty.")
  }

  /// An error of a statement of the migration.
  package func failure(_ error: StoreError, of statement: SQLStatement) -> StoreError {
    switch error.code {
    case .constraint:
      StoreError(
        .migrationConstraint,
        "Cannot migrate the store '\(store)': several rows have the same values, which the new model forbids "
          + "(\(statement.text)). Remove the duplicates with the old version first.", cause: error)
    case .io, .corrupt, .unsupported:
      StoreError(
        .migration, "Cannot migrate the store '\(store)', which is unchanged. \(error.message) (\(statement.text))",
        cause: error)
    default: error
    }
  }

  /// The error for a difference of the models that cannot be inferred.
  package func noMapping(_ error: CocoaError) -> StoreError {
    StoreError(.missingMapping, "Cannot migrate the store '\(store)'. \(error.localizedDescription)", cause: error)
  }
}
