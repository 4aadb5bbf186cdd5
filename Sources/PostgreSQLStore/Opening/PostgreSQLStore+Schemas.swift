import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Operations on a store as a whole, which need not be open.
extension PostgreSQLStore {
  /// Whether there is a store at a URL.
  package static func exists(at url: URL) throws -> Bool { try connection(to: url).hasTable("z_metadata") }

  /// The metadata of a store; its model need not be known.
  package static func metadata(at url: URL) throws -> [String: any Sendable] {
    let connection = try connection(to: url)
    guard try connection.hasTable("z_metadata"), let found = try connection.metadata() else {
      throw noStore(connection.address)
    }
    return found.dictionary.merging([StoreMetadata.identifierKey: found.identifier]) { _, own in own }
  }

  /// Replaces the program's own metadata. Entries that describe the model stay; a UUID becomes the store's.
  package static func setMetadata(_ metadata: [String: any Sendable], at url: URL) throws {
    let connection = try connection(to: url)
    guard try connection.hasTable("z_metadata") else { throw noStore(connection.address) }
    try connection.writing {
      let kept = try connection.metadata()?.dictionary.filter { StoreMetadata.ownKeys.contains($0.key) } ?? [:]
      try connection.run(SQLStatement("UPDATE z_metadata SET z_plist = $1", [.blob(try StoreMetadata.bytes(of: kept))]))
      try connection.addMetadata(metadata)
    }
  }

  /// Drops a store's schema. Processes that have it open get errors from then on. A missing store is not an error; a
  /// schema that holds something else is.
  package static func destroy(at url: URL, timeout: Double) throws {
    let connection = try connection(to: url, timeout: timeout)
    try connection.writing { try connection.dropStore(at: connection.address) }
  }

  /// Makes a store a copy of another in the same database, with its history and UUID. The destination need not exist; if
  /// copying fails, it stays as it was.
  /// - Throws: `.unsupported` for a store in another database: the server's own tools copy it.
  package static func replace(at url: URL, with source: URL, timeout: Double) throws {
    let (copy, original) = (try ServerAddress(url), try ServerAddress(source))
    if copy == original { return }
    guard copy.isSameDatabase(as: original) else {
      throw StoreError(
        .unsupported,
        "Cannot copy the store '\(original)' to '\(copy)', which is another database: use pg_dump with "
          + "'--schema=\(original.schema)', or migratePersistentStore(_:to:options:type:) object by object.")
    }
    let connection = try connection(to: source, timeout: timeout)
    guard try connection.hasTable("z_metadata") else { throw noStore(original) }
    try connection.writing {
      try connection.lockSchema()
      try connection.dropStore(at: copy)
      try connection.copyStore(to: copy)
    }
  }

  static func connection(to url: URL, timeout: Double? = nil) throws -> ServerConnection {
    let connection = try ServerConnection(to: ServerAddress(url), name: "Core Data")
    if let timeout { try connection.setLockTimeout(timeout) }
    return connection
  }

  static func noStore(_ address: ServerAddress) -> StoreError {
    StoreError(
      .notOpen,
      "The store '\(address)' does not exist: the database has no schema '\(address.schema)' with a store's tables.")
  }
}

extension ServerConnection {
  /// Drops the schema of a store in the connection's database, if there is one, within a transaction.
  fileprivate func dropStore(at address: ServerAddress) throws {
    try lockSchema(of: address)
    let names = try run(SQLStatement("SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(address.schema)]))
    guard names.rowCount > 0 else { return }
    guard try hasTable("z_metadata", in: address) else { throw PostgreSQLStore.noStore(address) }
    try run(SQLStatement("DROP SCHEMA \(ServerConnection.quoted(address.schema)) CASCADE"))
  }

  /// Copies the connection's store into a new schema, within a transaction.
  fileprivate func copyStore(to copy: ServerAddress) throws {
    let schema = ServerConnection.quoted(copy.schema)
    try run(SQLStatement("CREATE SCHEMA \(schema)"))
    let result = try run(
      SQLStatement("SELECT tablename FROM pg_tables WHERE schemaname = $1", [.text(address.schema)]))
    let tables = (0..<result.rowCount).map { ServerConnection.quoted(result.text($0, 0)) }
    // So that all are copied as of one moment.
    try run(SQLStatement("LOCK TABLE \(tables.joined(separator: ", ")) IN SHARE MODE"))
    for table in tables {
      try run(SQLStatement("CREATE TABLE \(schema).\(table) (LIKE \(table) INCLUDING ALL)"))
      // The readers of the original do not follow the copy.
      if table.unquoted == "strata_reader" { continue }
      try run(SQLStatement("INSERT INTO \(schema).\(table) SELECT * FROM \(table)"))
    }
    try copyDerivations(to: schema)
    let sequence = try run(
      SQLStatement(
        """
        SELECT increment_by, coalesce(last_value, 0) + increment_by FROM pg_sequences \
        WHERE schemaname = $1 AND sequencename = 'strata_batch'
        """, [.text(address.schema)]))
    let (step, start) = (Int(sequence.integer(0, 0)), Int(sequence.integer(0, 1)))
    try run("CREATE SEQUENCE \(schema).strata_batch INCREMENT BY \(step) START WITH \(start)")
  }

  /// The functions and triggers of derived attributes, which name the tables without their schema.
  private func copyDerivations(to schema: String) throws {
    let functions = try derivations(in: address.schema)
    if functions.isEmpty { return }
    let triggers = try run(
      SQLStatement(
        """
        SELECT pg_get_triggerdef(t.oid, true) FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid \
        WHERE c.relnamespace = $1::regnamespace AND NOT t.tgisinternal AND starts_with(t.tgname, $2)
        """, [.text(ServerConnection.quoted(address.schema)), .text(PostgreSQLSchemaWriter.derivationPrefix)]))
    try run(SQLStatement("SET LOCAL search_path = \(schema)"))
    for function in functions {
      let (name, body) = (ServerConnection.quoted(function.name), PostgreSQLDialect().literal(.text(function.body)))
      try run(
        SQLStatement(
          "CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS \(body)"))
    }
    for row in 0..<triggers.rowCount { try run(SQLStatement(triggers.text(row, 0))) }
    try run(SQLStatement("SET LOCAL search_path = \(ServerConnection.quoted(address.schema))"))
  }

  /// The functions of derived attributes in a schema.
  func derivations(in schema: String) throws -> [(name: String, body: String)] {
    let result = try run(
      SQLStatement(
        """
        SELECT proname, prosrc FROM pg_proc WHERE pronamespace = $1::regnamespace AND starts_with(proname, $2) \
        AND prorettype = 'trigger'::regtype ORDER BY proname
        """, [.text(ServerConnection.quoted(schema)), .text(PostgreSQLSchemaWriter.derivationPrefix)]))
    return (0..<result.rowCount).map { (result.text($0, 0), result.text($0, 1)) }
  }
}
