import Foundation
import StrataManagedModel
import StrataPostgreSQLEngine
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
    try connection.transaction(.writing) {
      let kept = try connection.metadata()?.dictionary.filter { StoreMetadata.ownKeys.contains($0.key) } ?? [:]
      try connection.run(SQLStatement("UPDATE z_metadata SET z_plist = $1", [.blob(try StoreMetadata.bytes(of: kept))]))
      try connection.addMetadata(metadata)
    }
  }

  /// Drops a store's schema. Whoever has it open gets errors from then on. A missing store is not an error; a schema that
  /// holds something else is.
  package static func destroy(at url: URL, timeout: Double) throws {
    let connection = try connection(to: url, timeout: timeout)
    guard try connection.hasTable("z_metadata") else {
      let names = try connection.run(
        SQLStatement("SELECT count(*) FROM pg_namespace WHERE nspname = $1", [.text(connection.address.schema)]))
      if names.integer(0, 0) == 0 { return }
      throw noStore(connection.address)
    }
    try connection.transaction(.writing) {
      try connection.lockSchema()
      try connection.run(
        SQLStatement("DROP SCHEMA IF EXISTS \(ServerConnection.quoted(connection.address.schema)) CASCADE"))
    }
  }

  /// Makes a store a copy of another in the same database, with its history and UUID. The destination need not exist.
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
    guard try exists(at: source) else { throw noStore(original) }
    try destroy(at: url, timeout: timeout)
    let connection = try ServerConnection(to: original, name: "Core Data copy")
    let schema = ServerConnection.quoted(copy.schema)
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
    do {
      try connection.lockSchema()
      try connection.run(SQLStatement("CREATE SCHEMA \(schema)"))
      let tables = try connection.run(
        SQLStatement("SELECT tablename FROM pg_tables WHERE schemaname = $1", [.text(original.schema)]))
      for row in 0..<tables.rowCount {
        let table = ServerConnection.quoted(tables.text(row, 0))
        try connection.run(SQLStatement("CREATE TABLE \(schema).\(table) (LIKE \(table) INCLUDING ALL)"))
        // The readers of the original do not follow the copy.
        if table == ServerConnection.quoted("strata_reader") { continue }
        try connection.run(SQLStatement("INSERT INTO \(schema).\(table) SELECT * FROM \(table)"))
      }
      let sequence = try connection.run(
        SQLStatement(
          """
          SELECT increment_by, coalesce(last_value, 0) + increment_by FROM pg_sequences \
          WHERE schemaname = $1 AND sequencename = 'strata_batch'
          """, [.text(original.schema)]))
      let (step, start) = (Int(sequence.integer(0, 0)), Int(sequence.integer(0, 1)))
      try connection.run("CREATE SEQUENCE \(schema).strata_batch INCREMENT BY \(step) START WITH \(start)")
      try connection.run("COMMIT")
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error
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
      "There is no store at '\(address)': the database has no schema '\(address.schema)' with the tables of one.")
  }
}
