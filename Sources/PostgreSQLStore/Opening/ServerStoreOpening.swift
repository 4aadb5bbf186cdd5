import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Opens a schema as a store, step by step.
struct ServerStoreOpening {
  let address: ServerAddress
  let model: NSManagedObjectModel
  let configuration: String?
  let options: PostgreSQLStoreOptions

  struct Opened {
    var schema: StoreSchema
    var identifier: String
    var readOnlyReason: ReadOnlyReason?
    /// The number of migrations of the store.
    var migrations: Int64
    var connection: ServerConnection
  }

  func open() throws -> Opened {
    let connection = try ServerConnection(to: address, name: "Core Data writer")
    try connection.refuseTransactionPooler()
    if try !connection.hasTable("z_metadata") { try create(on: connection) }
    let readOnlyReason = try readOnlyReason(connection)
    if readOnlyReason == nil { try migrate(connection) }
    // Before the model is found to fit: a later migration is noticed by the first commit.
    let migrations = try connection.migrations()
    guard let (identifier, metadata) = try connection.metadata() else { throw notAStore }
    try checkModel(metadata)
    let schema = try StoreSchema(
      model: model, configuration: configuration,
      numbers: Self.numbers(of: model.freeze(), in: connection.storedNumbers()),
      dialect: PostgreSQLDialect())
    return Opened(
      schema: schema, identifier: identifier, readOnlyReason: readOnlyReason, migrations: migrations,
      connection: connection)
  }

  private func readOnlyReason(_ connection: ServerConnection) throws -> ReadOnlyReason? {
    if options.isReadOnly { return .requested }
    if options.keepsHistory { return nil }
    let hasHistory = try connection.run("SELECT EXISTS (SELECT 1 FROM atransaction)").integer(0, 0) != 0
    return hasHistory ? .historyNotTracked : nil
  }

  /// Makes the schema and its tables, unless another process was quicker.
  private func create(on connection: ServerConnection) throws {
    guard !options.isReadOnly else {
      throw StoreError(
        .notOpen,
        "Cannot open the store '\(address)': it does not exist, and a read-only open cannot create it. Open it for "
          + "writing once.")
    }
    try connection.writing {
      try connection.lockSchema()
      try connection.run(
        SQLStatement("CREATE SCHEMA IF NOT EXISTS \(ServerConnection.quoted(address.schema))"))
      if try connection.hasTable("z_metadata") { return }
      let others = try connection.run(
        SQLStatement(
          "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1",
          [.text(address.schema)]))
      guard others.integer(0, 0) == 0 else { throw notAStore }
      let schema = try StoreSchema(model: model, configuration: configuration, dialect: PostgreSQLDialect())
      for statement in try PostgreSQLSchemaWriter(schema: schema).create() { try connection.run(statement) }
      let metadata = try StoreMetadata.bytes(of: StoreMetadata.dictionary(forServer: schema))
      try connection.run(
        SQLStatement(
          "INSERT INTO z_metadata VALUES (1, $1, $2)", [.text(UUID().uuidString), .blob(metadata)]))
      try connection.run(
        SQLStatement(
          "INSERT INTO z_modelcache VALUES ($1)", [(try? model.cache()).map(StoredValue.blob) ?? .null]))
    }
  }

  var notAStore: StoreError {
    StoreError(
      .corrupt,
      "Cannot open the store '\(address)': the schema '\(address.schema)' exists, but has no tables of a store. "
        + "Name another with '?schema=…', or drop this one.")
  }

  private func checkModel(_ metadata: [String: any Sendable]) throws {
    guard let entities = model.freeze().layouts(ofConfiguration: configuration) else {
      throw StoreError(
        .incompatibleModel,
        "Cannot open the store '\(address)': the model has no configuration '\(configuration ?? "")', only "
          + "\(model.configurations).")
    }
    guard !model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata),
      !(options.ignoresVersions && options.isReadOnly)
    else { return }
    throw StoreError(
      .incompatibleModel,
      "Cannot open the store '\(address)': it was written with another version of the model "
        + "(\(StoreMetadata.differences(of: entities.versionHashes, from: metadata))). Open it with that version, or migrate it."
    )
  }

  /// Z_ENT by entity name.
  /// - Parameter stored: the store's numbers. Entities of other configurations get numbers that no row here uses.
  static func numbers(of model: ModelLayout, in stored: [String: Int]) -> [String: Int] {
    var numbers = stored
    var last = numbers.values.max() ?? 0
    for layout in model.layouts where numbers[layout.name] == nil {
      last += 1
      numbers[layout.name] = last
    }
    return numbers
  }
}

extension ServerConnection {
  /// Whether the schema of a store in the connection's database has a table.
  /// - Parameter other: the store; by default the connection's own.
  func hasTable(_ name: String, in other: ServerAddress? = nil) throws -> Bool {
    let statement = SQLStatement(
      """
      SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = $1 AND c.relname = $2)
      """, [.text((other ?? address).schema), .text(name)])
    return try run(statement).integer(0, 0) != 0
  }

  /// Serializes creation, migration and removal of the store, up to the end of the transaction.
  /// - Parameter other: the store; by default the connection's own.
  func lockSchema(of other: ServerAddress? = nil) throws {
    let name = "strata " + (other ?? address).schema
    try run(SQLStatement("SELECT pg_advisory_xact_lock(hashtext($1))", [.text(name)]))
  }

  /// The UUID and the dictionary; nil if the store has no metadata.
  func metadata() throws -> (identifier: String, dictionary: [String: any Sendable])? {
    let result = try run("SELECT z_uuid, z_plist FROM z_metadata WHERE z_version = 1")
    guard result.rowCount == 1 else { return nil }
    return (result.text(0, 0), try StoreMetadata.dictionary(from: Array(result.bytes(0, 1))))
  }

  /// Merges into the program's own metadata, key by key, within a transaction.
  func addMetadata(_ metadata: [String: any Sendable]) throws {
    try run("SELECT 1 FROM z_metadata FOR UPDATE")
    var dictionary = try self.metadata()?.dictionary ?? [:]
    for (key, value) in metadata where !StoreMetadata.ownKeys.contains(key) && key != StoreMetadata.identifierKey {
      dictionary[key] = value
    }
    try run(SQLStatement("UPDATE z_metadata SET z_plist = $1", [.blob(try StoreMetadata.bytes(of: dictionary))]))
    if let identifier = metadata[StoreMetadata.identifierKey] as? String {
      try run(SQLStatement("UPDATE z_metadata SET z_uuid = $1", [.text(identifier)]))
    }
  }
}

extension StoreMetadata {
  /// The key of the store's UUID, which has a column of its own.
  static let identifierKey = "NSStoreUUID"

  static func dictionary(forServer schema: StoreSchema) -> [String: any Sendable] {
    modelDictionary(for: schema).merging(["NSStoreType": PostgreSQLStore.type]) { _, own in own }
  }
}

extension PostgreSQLStore {
  package var metadata: [String: any Sendable] {
    get throws {
      var dictionary = try reading { try $0.connection.metadata()?.dictionary ?? [:] }
      dictionary[StoreMetadata.identifierKey] = identifier
      return dictionary
    }
  }

  package func setMetadata(_ metadata: [String: any Sendable]) throws {
    try writer.withConnection { connection in
      try connection.transaction(.writing) { try connection.addMetadata(metadata) }
    }
  }
}
