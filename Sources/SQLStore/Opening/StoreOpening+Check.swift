import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSharing

/// Checks that a file is a store of the model.
extension StoreOpening {
  var notAStore: StoreError {
    StoreError(
      .corrupt,
      "Cannot open the store '\(path)': it is an SQLite database, but without the tables of a store. "
        + "Name another file, or move this one away to start a new store.")
  }

  /// Checks the metadata against the model. Returns the store's schema and UUID.
  /// - Parameter found: the file's declarations, if they were read already.
  func read(
    _ connection: Connection, _ found: FileDeclarations? = nil
  ) throws -> (StoreSchema, identifier: String) {
    let found = try found ?? FileDeclarations(connection)
    let others = try found.areAllTables ? [] : SQLStore.otherTables(connection)
    guard let (identifier, metadata) = try SQLStore.metadata(connection) else { throw notAStore }
    try checkModel(metadata)
    let schema = try StoreSchema(
      model: model, configuration: configuration, numbers: numbers(connection, of: model.freeze()),
      declared: found.tables, dialect: .sqlite)
    if !others.isEmpty { try refuse(others, inPlaceOf: schema) }
    if options.ignoresVersions, options.isReadOnly { try checkColumns(schema, on: connection) }
    return (schema, identifier)
  }

  func refuse(_ others: Set<String>, inPlaceOf schema: StoreSchema) throws {
    try SQLStore.refuse(others, inPlaceOf: CheckWriter(schema: schema).declarations.map(\.table), path)
  }

  /// Stamps a store with the model's versions without changing anything else, if the options ask for it.
  /// - Throws: `.incompatibleModel` if the store lacks a table or column of the model.
  func adopt(_ connection: Connection, under writerLock: WriterLock) throws {
    func isOther() throws -> Bool { try SQLStore.metadata(connection).map { !fits($0.dictionary) } ?? false }
    guard options.ignoresVersions, model.entities(forConfigurationName: configuration) != nil, try isOther() else {
      return
    }
    _ = try SQLStore.otherTables(connection)
    try asOnlyWriter(connection, under: writerLock) {
      guard try isOther(), let metadata = try SQLStore.metadata(connection)?.dictionary else { return }
      let schema = try StoreSchema(
        model: model, configuration: configuration, numbers: numbers(connection, of: model.freeze()),
        declared: FileDeclarations(connection).tables, dialect: .sqlite)
      try checkColumns(schema, on: connection)
      try connection.writing {
        try connection.run(
          StoreMetadata.update,
          bindings: [.blob(try StoreMetadata.bytes(of: StoreMetadata.migrated(metadata, to: schema)))])
        try connection.run("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
        try connection.run("DELETE FROM Z_MODELCACHE")
        try connection.run(StoreMetadata.insertModel, bindings: [(try? model.cache()).map(StoredValue.blob) ?? .null])
        writerLock.adjustUnlistedCount(by: 1)
      }
    }
  }

  private func checkColumns(_ schema: StoreSchema, on connection: Connection) throws {
    for (table, columns) in CheckWriter(schema: schema).declarations {
      let found = Set(try connection.columns(of: table))
      let missing = columns.filter { !found.contains($0) }
      guard !missing.isEmpty else { continue }
      throw StoreError(
        .incompatibleModel,
        "Cannot open the store '\(path)' whatever its version: its table \(table) "
          + (found.isEmpty ? "is not there" : "has no column \(missing.joined(separator: ", "))")
          + ". Migrate it to the model.")
    }
  }

  func fits(_ metadata: [String: any Sendable]) -> Bool {
    model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
  }

  func checkModel(_ metadata: [String: any Sendable]) throws {
    // A writable store has the model's hashes by now.
    guard !fits(metadata), !(options.ignoresVersions && options.isReadOnly) else { return }
    guard let entities = model.freeze().layouts(ofConfiguration: configuration) else {
      throw StoreError(
        .incompatibleModel,
        "Cannot open the store '\(path)': the model has no configuration '\(configuration ?? "")', only "
          + "\(model.configurations).")
    }
    throw StoreError(
      .incompatibleModel,
      "Cannot open the store '\(path)': it was written with another version of the model "
        + "(\(StoreMetadata.differences(of: entities.versionHashes, from: metadata))). Open it with that version, or migrate it."
    )
  }

  /// Z_ENT by entity name. When Apple's framework migrates a renamed entity, Z_PRIMARYKEY keeps the old name, which the
  /// model knows. Entities of other configurations get numbers that no row of this file uses.
  func numbers(_ connection: Connection, of model: ModelLayout) throws -> [String: Int] {
    var stored: [String: Int] = [:]
    for row in try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 1 AND 15999") {
      if case .text(let name) = row[0], case .integer(let number) = row[1] { stored[name] = Int(number) }
    }
    var last = stored.values.max() ?? 0
    var numbers: [String: Int] = [:]
    for layout in model.layouts { numbers[layout.name] = stored.removeValue(forKey: layout.name) }
    for layout in model.layouts where numbers[layout.name] == nil {
      let oldName = layout.renamingIdentifier ?? layout.name
      if let number = stored.removeValue(forKey: oldName) {
        numbers[layout.name] = number
      } else {
        last += 1
        numbers[layout.name] = last
      }
    }
    return numbers
  }
}

/// The declarations in a file, except indexes and triggers.
struct FileDeclarations {
  let tables: DeclaredTables
  /// Whether the file declares nothing.
  let isEmpty: Bool
  /// Whether there is certainly neither a view nor a virtual table. SQLite writes these words itself, and reads what
  /// begins with them as nothing but a table.
  let areAllTables: Bool

  init(_ connection: Connection) throws {
    var texts: [String: String] = [:]
    var areAllTables = true
    for row in try connection.rows("SELECT type, name, sql FROM sqlite_master WHERE type NOT IN ('index', 'trigger')") {
      guard row[0] == .text("table"), case .text(let name) = row[1], case .text(let text) = row[2] else {
        areAllTables = false
        continue
      }
      texts[name] = text
      if !text.utf8.starts(with: "CREATE TABLE ".utf8) { areAllTables = false }
    }
    isEmpty = texts.isEmpty && areAllTables
    tables = DeclaredTables(texts)
    self.areAllTables = areAllTables
  }

  func hasTable(_ name: String) -> Bool { tables.contains(name) }
}
