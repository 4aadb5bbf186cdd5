import Foundation
import StrataManagedModel
import StrataModelFiles
import StrataRowStore
import StrataSQLText
import StrataSQLiteText
import StrataSQLiteEngine
import StrataWriterLock

/// Migrates a store in place, in one transaction, under the writer lock.
extension StoreOpening {
  /// Does nothing if the store fits the model. When several processes open an old store at once, one migrates it, and
  /// the others find it done once they get the lock.
  /// - Throws: `.missingSourceModel`, `.missingMapping`, `.migration`, `.migrationConstraint`; the file is then
  ///   unchanged.
  func migrate(_ connection: Connection, under writerLock: WriterLock) throws {
    guard let migration = options.migration, try isOld(connection) else { return }
    let others = try SQLStore.otherTables(connection)
    guard model.entities(forConfigurationName: configuration) != nil else { return }
    try writerLock.locking(path, deadline: options.timeout) {
      guard try isOld(connection) else { return }
      let metadata = try SQLStore.metadata(connection)?.dictionary ?? [:]
      let source = try sourceModel(connection, metadata: metadata, migration: migration)
      if migration.isLeft(source.model) { return }
      try refuseNewer(metadata, migration: migration)
      try refuseForeign(source, metadata: metadata, migration: migration)
      try refuse(others, inPlaceOf: schema(of: source, connection))
      try connection.writing { try migrate(connection, metadata: metadata, from: source, deferring: migration.defers) }
    }
  }

  /// A store that a newer program has migrated from this very model is not migrated back, which would drop what the
  /// newer model added. Apple's framework finds no source model then; one that the program has allows the migration.
  private func refuseNewer(_ metadata: [String: any Sendable], migration: SQLStoreOptions.Migration) throws {
    let new = model.entities(forConfigurationName: configuration) ?? []
    guard StoreMetadata.haveLeft(new, in: metadata), migration.findModel(metadata) == nil else { return }
    throw StoreError(
      .missingSourceModel,
      "Cannot open the store '\(path)': a newer version of the program has migrated it from this version of the model, "
        + "and migrating it back would delete what the newer version added. Use the newer program. If this model is the "
        + "newer one, put the version that it replaces beside it, or change the version hash modifier of an entity.")
  }

  /// A store that shares no entity with the model, in no version the program knows, is somebody else's: the inferred
  /// migration would drop every table. Entities that a newer version of the program's own model lost are dropped with
  /// their rows.
  private func refuseForeign(
    _ source: (model: NSManagedObjectModel, name: String?), metadata: [String: any Sendable],
    migration: SQLStoreOptions.Migration
  ) throws {
    let old = source.model.entities(forConfigurationName: source.name) ?? []
    let new = model.entities(forConfigurationName: configuration) ?? []
    guard !old.isEmpty, !ModelDifference(comparing: old, to: new).carriesOver, migration.findModel(metadata) == nil
    else { return }
    func list(_ entities: [NSEntityDescription]) -> String {
      entities.map { $0.name ?? "" }.sorted().joined(separator: ", ")
    }
    throw StoreError(
      .incompatibleModel,
      "Cannot open the store '\(path)': its entities (\(list(old))) and those of the model (\(list(new))) have nothing in "
        + "common, so it seems to be another program's, and migrating it would delete all it holds. Give this program's "
        + "store another URL. If the store is its own, put the old version of the model beside the new one, say with "
        + "renaming identifiers what the entities were called, or destroy the store to begin anew.")
  }

  private func isOld(_ connection: Connection) throws -> Bool {
    guard let metadata = try SQLStore.metadata(connection)?.dictionary else { throw notAStore }
    return !fits(metadata)
  }

  /// The tables of an old store.
  private func schema(
    of old: (model: NSManagedObjectModel, name: String?), _ connection: Connection
  ) throws -> StoreSchema {
    old.model.freeze()
    return try StoreSchema(
      model: old.model, configuration: old.name, numbers: numbers(connection, of: old.model),
      declared: declaredTables(connection), dialect: .sqlite)
  }

  private func migrate(
    _ connection: Connection, metadata: [String: any Sendable],
    from old: (model: NSManagedObjectModel, name: String?), deferring: Bool
  ) throws {
    let source = try schema(of: old, connection)
    if metadata[StoreMetadata.deferredKey] != nil {
      while try connection.runDeferredTask(DeferredTasks(schema: source)) {}
    }
    if try connection.hasTable("ATRANSACTION") {
      for statement in try connection.historyCompletion(for: source) { try run(statement, on: connection) }
    }
    let destination = try StoreSchema(model: model, configuration: configuration, dialect: .sqlite)
    let writer = try writer(from: source, to: destination, connection)
    // Dropping a column removes its external files. If the migration fails the files stay, and the mark does no harm.
    try ExternalData.markUnfinished(of: path)
    for statement in try writer.statements(deferring: deferring) { try run(statement, on: connection) }
    for declaration in writer.foreign { try connection.restore(declaration) }
    var migrated = StoreMetadata.migrated(metadata, to: destination)
    if deferring { migrated[StoreMetadata.deferredKey] = true }
    let bytes = try StoreMetadata.bytes(of: migrated)
    try connection.run(StoreMetadata.update, bindings: [.blob(bytes)])
    try connection.run("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
    try connection.run("DELETE FROM Z_MODELCACHE")
    try connection.run(StoreMetadata.insertModel, bindings: [(try? model.cache()).map(StoredValue.blob) ?? .null])
  }

  private func writer(
    from source: StoreSchema, to destination: StoreSchema, _ connection: Connection
  ) throws -> MigrationWriter {
    do {
      return try MigrationWriter(from: source, to: destination, declarations: connection.declarations)
    } catch let error as CocoaError {
      throw StoreError(
        .missingMapping, "Cannot migrate the store '\(path)'. \(error.localizedDescription)", cause: error)
    }
  }

  private func run(_ statement: SQLStatement, on connection: Connection) throws {
    do {
      try connection.run(statement)
    } catch let error as StoreError where error.code == .constraint {
      throw StoreError(
        .migrationConstraint,
        "Cannot migrate the store '\(path)': several rows have the same values, which the new model forbids "
          + "(\(statement.text)). Remove the doubles with the old version first.", cause: error)
    } catch let error as StoreError where error.code == .io || error.code == .corrupt || error.code == .unsupported {
      throw StoreError(
        .migration, "Cannot migrate the store '\(path)'; it is as it was. \(error.message) (\(statement.text))",
        cause: error)
    }
  }
}

/// The model that an old store was written with.
extension StoreOpening {
  private func sourceModel(
    _ connection: Connection, metadata: [String: any Sendable], migration: SQLStoreOptions.Migration
  ) throws -> (model: NSManagedObjectModel, name: String?) {
    guard
      let (model, configuration) = try cachedModel(connection, metadata: metadata)
        ?? found(for: metadata, migration: migration)
    else {
      let names = (metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]).keys.sorted()
      throw StoreError(
        .missingSourceModel,
        "Cannot migrate the store '\(path)': the model that it was written with is neither in it nor in the program; "
          + "its entities are \(names.joined(separator: ", ")). Put that version of the model beside the new one.")
    }
    return (model, configuration)
  }

  private func cachedModel(
    _ connection: Connection, metadata: [String: any Sendable]
  ) throws -> (NSManagedObjectModel, String?)? {
    guard try connection.hasTable("Z_MODELCACHE"),
      case .blob(let bytes)? = try connection.value(StoreMetadata.readModel),
      let model = try? NSManagedObjectModel.model(cache: bytes, file: path).model
    else { return nil }
    return fitting(model, metadata: metadata)
  }

  private func found(
    for metadata: [String: any Sendable], migration: SQLStoreOptions.Migration
  ) -> (NSManagedObjectModel, String?)? {
    migration.findModel(metadata).flatMap { fitting($0, metadata: metadata) }
  }

  /// The configuration of a model that the store holds.
  private func fitting(
    _ model: NSManagedObjectModel, metadata: [String: any Sendable]
  ) -> (NSManagedObjectModel, String?)? {
    ([nil] + model.configurations).first {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }.map { (model, $0) }
  }
}
