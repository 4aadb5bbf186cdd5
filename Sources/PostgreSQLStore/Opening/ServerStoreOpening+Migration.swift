import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Migrates a store in place, in one transaction that excludes readers and writers.
extension ServerStoreOpening {
  /// The maximum number of attempts at a migration that deadlocks with a writer.
  private static let maximumAttempts = 5

  /// Does nothing if the store fits the model. When several processes on any hosts open an old store simultaneously,
  /// one migrates it, and the others find it migrated once they get the lock.
  /// - Throws: `.missingSourceModel`, `.missingMapping`, `.migration`, `.migrationConstraint`; the store is then
  ///   unchanged.
  func migrate(_ connection: ServerConnection) throws {
    guard let migration = options.migration, try isOld(connection),
      model.entities(forConfigurationName: configuration) != nil
    else { return }
    let check = MigrationCheck(
      store: "\(address)", model: model, configuration: configuration, migration: migration)
    try connection.setLockTimeout(options.timeout)
    for attempt in 1... {
      do {
        let losses = try connection.writing {
          try connection.lockSchema()
          return try isOld(connection) ? migrate(connection, check) : []
        }
        return check.warn(of: losses)
      } catch let error as StoreError
        where attempt < Self.maximumAttempts && (error.cause as? ServerFailure)?.isTransient == true
      {
        continue
      }
    }
  }

  private func isOld(_ connection: ServerConnection) throws -> Bool {
    guard let metadata = try connection.metadata()?.dictionary else { throw notAStore }
    return !model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
  }

  /// - Returns: what the new model has no place for.
  private func migrate(_ connection: ServerConnection, _ check: MigrationCheck) throws -> [String] {
    let metadata = try connection.metadata()?.dictionary ?? [:]
    let old = try check.source(kept: connection.keptModel(), metadata: metadata)
    if check.migration.isLeft(old.model) { return [] }
    try check.refuse(old, metadata: metadata)
    let (source, destination, difference) = try schemas(of: old, connection, check)
    let writer = PostgreSQLMigrationWriter(
      from: source, to: destination, difference, indexes: try connection.indexNames())
    let statements = try writer.statements()
    try run(
      SQLStatement("LOCK TABLE \(writer.tables.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE"), check, connection)
    let grants = try TableGrants(of: connection)
    let count = { try connection.run($0).integer(0, 0) } as (SQLStatement) throws -> Int64
    let losses = try writer.rows.losses(counting: count)
    for statement in statements { try run(statement, check, connection) }
    do {
      try writer.rows.checkRows(counting: count)
    } catch let error as CocoaError {
      throw check.noMapping(error)
    }
    for table in writer.successors { try grants.give(table.old.unquoted, on: table.new, by: connection) }
    try connection.setModel(model, destination, metadata: metadata)
    // Delivered by COMMIT: those who have the store open with the old model must not wait for the next commit.
    try connection.run(SQLStatement("SELECT pg_notify($1, '')", [.text(address.channel)]))
    return losses
  }

  private func run(_ statement: SQLStatement, _ check: MigrationCheck, _ connection: ServerConnection) throws {
    do {
      try connection.run(statement)
    } catch let error as StoreError {
      throw check.failure(error, of: statement)
    }
  }

  /// The tables of the old store and of the new one, in which entities keep their numbers, and the models' difference.
  private func schemas(
    of old: MigrationCheck.Source, _ connection: ServerConnection, _ check: MigrationCheck
  ) throws -> (source: StoreSchema, destination: StoreSchema, ModelDifference) {
    let stored = try connection.storedNumbers()
    let source = try StoreSchema(
      model: old.model, configuration: old.configuration, numbers: Self.numbers(of: old.model.freeze(), in: stored),
      dialect: PostgreSQLDialect())
    let draft = try StoreSchema(model: model, configuration: configuration, dialect: PostgreSQLDialect())
    let difference = try check.difference(from: old, source, to: draft)
    let numbers = PostgreSQLMigrationWriter.numbers(of: draft, difference, stored)
    let destination = try StoreSchema(
      model: model, configuration: configuration, numbers: numbers, dialect: PostgreSQLDialect())
    return (source, destination, difference)
  }
}

extension ServerConnection {
  /// The time that a statement waits for locks of others.
  func setLockTimeout(_ seconds: Double) throws {
    let milliseconds = Int64(min(max(seconds, 0.001) * 1_000, Double(Int32.max)))
    try run(SQLStatement("SELECT set_config('lock_timeout', $1, false)", [.text("\(milliseconds)ms")]))
  }

  /// The copy of the model in the store; nil if it is missing or cannot be read.
  func keptModel() throws -> NSManagedObjectModel? {
    let result = try run("SELECT z_content FROM z_modelcache")
    guard result.rowCount == 1, !result.isNull(0, 0) else { return nil }
    return try? NSManagedObjectModel.model(cache: Array(result.bytes(0, 0)), file: "\(address)").model
  }

  /// Describes a migrated store.
  /// - Parameter metadata: of the store before, whose program's own entries stay.
  func setModel(_ model: NSManagedObjectModel, _ schema: StoreSchema, metadata: [String: any Sendable]) throws {
    let kept = metadata.filter { !StoreMetadata.ownKeys.contains($0.key) }
    let new = StoreMetadata.remembering(
      metadata, in: kept.merging(StoreMetadata.dictionary(forServer: schema)) { _, own in own })
    try run(SQLStatement("UPDATE z_metadata SET z_plist = $1", [.blob(try StoreMetadata.bytes(of: new))]))
    try run("DELETE FROM z_modelcache")
    try run(
      SQLStatement(
        "INSERT INTO z_modelcache VALUES ($1)", [(try? model.cache()).map(StoredValue.blob) ?? .null]))
  }

  /// Z_ENT by name of all entities that the store holds. No entity has a number out of range: tables of entities are as
  /// long as the greatest number.
  func storedNumbers() throws -> [String: Int] {
    let result = try run("SELECT z_name, z_ent FROM z_primarykey WHERE z_ent BETWEEN 1 AND 15999")
    var numbers: [String: Int] = [:]
    for row in 0..<result.rowCount { numbers[result.text(row, 0)] = Int(result.integer(row, 1)) }
    return numbers
  }

  fileprivate func indexNames() throws -> Set<String> {
    let result = try run(
      SQLStatement("SELECT indexname FROM pg_indexes WHERE schemaname = $1", [.text(address.schema)]))
    return Set((0..<result.rowCount).map { result.text($0, 0) })
  }
}
