import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSharing

/// Migrates a store in place, in one transaction, under the writer lock.
extension StoreOpening {
  /// Does nothing if the store fits the model. When several processes open an old store simultaneously, one migrates
  /// it, and the others find it migrated once they get the lock.
  /// - Throws: `.missingSourceModel`, `.missingMapping`, `.migration`, `.migrationConstraint`; the file is then
  ///   unchanged.
  func migrate(_ connection: Connection, under writerLock: WriterLock) throws {
    guard let migration = options.migration, try isOld(connection) else { return }
    let others = try SQLStore.otherTables(connection)
    guard model.entities(forConfigurationName: configuration) != nil else { return }
    try asOnlyWriter(connection, under: writerLock) {
      guard try isOld(connection) else { return }
      let metadata = try SQLStore.metadata(connection)?.dictionary ?? [:]
      let check = check(migration)
      let source = try check.source(kept: keptModel(connection), metadata: metadata)
      if migration.isLeft(source.model) { return }
      try check.refuse(source, metadata: metadata)
      try refuse(others, inPlaceOf: schema(of: source, connection))
      let losses = try connection.writing { try migrate(connection, metadata: metadata, from: source, check) }
      check.warn(of: losses)
    }
  }

  private func keptModel(_ connection: Connection) throws -> NSManagedObjectModel? {
    guard try connection.hasTable("Z_MODELCACHE"),
      case .blob(let bytes)? = try connection.value(StoreMetadata.readModel)
    else { return nil }
    return try? NSManagedObjectModel.model(cache: bytes, file: path).model
  }

  private func check(_ migration: InferredMigration) -> MigrationCheck {
    MigrationCheck(store: path, model: model, configuration: configuration, migration: migration)
  }

  private func isOld(_ connection: Connection) throws -> Bool {
    guard let metadata = try SQLStore.metadata(connection)?.dictionary else { throw notAStore }
    return !fits(metadata)
  }

  /// The tables of an old store.
  private func schema(of old: MigrationCheck.Source, _ connection: Connection) throws -> StoreSchema {
    return try StoreSchema(
      model: old.model, configuration: old.configuration, numbers: numbers(connection, of: old.model.freeze()),
      declared: FileDeclarations(connection).tables, dialect: .sqlite)
  }

  /// - Returns: what the new model has no place for.
  private func migrate(
    _ connection: Connection, metadata: [String: any Sendable], from old: MigrationCheck.Source, _ check: MigrationCheck
  ) throws -> [String] {
    let deferring = check.migration.defers
    let source = try schema(of: old, connection)
    func run(_ statement: SQLStatement) throws {
      do { try connection.run(statement) } catch let error as StoreError { throw check.failure(error, of: statement) }
    }
    if metadata[StoreMetadata.deferredKey] != nil {
      while try connection.runDeferredTask(DeferredTasks(schema: source)) {}
    }
    if try connection.hasTable("ATRANSACTION") {
      for statement in try connection.historyCompletion(for: source) { try run(statement) }
    }
    let destination = try StoreSchema(model: model, configuration: configuration, dialect: .sqlite)
    let difference = try check.difference(from: old, source, to: destination)
    let writer = MigrationWriter(
      from: source, to: destination, difference, declarations: try connection.declarations)
    // Dropping a column removes its external files. If the migration fails the files stay, and the mark does no harm.
    try ExternalData.markUnfinished(of: path)
    let count = { try connection.integer($0.text, bindings: $0.bindings) ?? 0 } as (SQLStatement) throws -> Int64
    let losses = try writer.rows.losses(counting: count)
    for statement in try writer.statements(deferring: deferring) { try run(statement) }
    do {
      try writer.rows.checkRows(counting: count)
    } catch let error as CocoaError {
      throw check.noMapping(error)
    }
    for declaration in writer.foreign { try connection.restore(declaration) }
    var migrated = StoreMetadata.migrated(metadata, to: destination)
    if deferring { migrated[StoreMetadata.deferredKey] = true }
    let bytes = try StoreMetadata.bytes(of: migrated)
    try connection.run(StoreMetadata.update, bindings: [.blob(bytes)])
    try connection.run("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
    try connection.run("DELETE FROM Z_MODELCACHE")
    try connection.run(StoreMetadata.insertModel, bindings: [(try? model.cache()).map(StoredValue.blob) ?? .null])
    return losses
  }
}
