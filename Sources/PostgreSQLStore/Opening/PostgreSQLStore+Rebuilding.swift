import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Migrations from outside the store.
extension PostgreSQLStore {
  /// The copy of the model in the store; nil if it is missing or cannot be read.
  package static func keptModel(at url: URL) throws -> NSManagedObjectModel? {
    let connection = try connection(to: url)
    return try connection.hasTable("z_modelcache") ? connection.keptModel() : nil
  }

  /// Replaces a store's contents with those of the store that `fill` makes from it in another schema of the database, in
  /// one transaction: no other process writes in between, and of several processes that do this simultaneously, each
  /// sees the previous one's result.
  ///
  /// The store keeps its UUID, its program's metadata, the rights on tables that stay, and its named readers. Its history
  /// starts over, since the rows have new keys; its numbers continue, so that older tokens have expired.
  /// - Parameter fill: may read the store but not write it; false leaves the store as it is.
  package static func rebuild(at url: URL, timeout: Double, by fill: (_ copy: URL) throws -> Bool) throws {
    let connection = try connection(to: url, timeout: timeout)
    let address = connection.address
    guard try connection.hasTable("z_metadata") else { throw noStore(address) }
    let copy = try copyURL(of: url)
    let schema = try ServerAddress(copy).schema
    defer {
      _ = try? connection.run(SQLStatement("DROP SCHEMA IF EXISTS \(ServerConnection.quoted(schema)) CASCADE"))
    }
    try connection.writing {
      try connection.lockSchema()
      try connection.run("LOCK TABLE strata_counter, \(tableList(connection)) IN EXCLUSIVE MODE")
      guard try fill(copy) else { return }
      try StoreSwap(connection: connection, copy: schema).run()
    }
  }

  private static func tableList(_ connection: ServerConnection) throws -> String {
    try connection.storeTables(in: connection.address.schema).map(ServerConnection.quoted).joined(separator: ", ")
  }

  /// The URL of an unused schema.
  private static func copyURL(of url: URL) throws -> URL {
    let items = URLComponents(string: url.absoluteString)?.queryItems ?? []
    var parts = URLComponents(string: url.absoluteString)
    let name = "strata_\(UUID().uuidString.lowercased())"
    parts?.queryItems = items.filter { $0.name != "schema" } + [URLQueryItem(name: "schema", value: name)]
    guard let copy = parts?.url else {
      throw StoreError(.notOpen, "Cannot migrate the store '\(try ServerAddress(url))': its URL cannot name a schema.")
    }
    return copy
  }

  /// Runs a migration in several steps, each of which locks the store itself, while no other process runs one on the same
  /// store: they queue for a lock of the server's, which ends with the connection.
  package static func migrateInStages<T>(at url: URL, timeout: Double, _ body: () throws -> T) throws -> T {
    let connection = try connection(to: url, timeout: timeout)
    let name = StoredValue.text("strata stages " + connection.address.schema)
    try connection.run(SQLStatement("SELECT pg_advisory_lock(hashtext($1))", [name]))
    defer { _ = try? connection.run(SQLStatement("SELECT pg_advisory_unlock(hashtext($1))", [name])) }
    return try body()
  }
}

/// Replaces a store's tables with those of another schema, within a transaction.
private struct StoreSwap {
  let connection: ServerConnection
  /// The schema of the other store.
  let copy: String

  private var schema: String { ServerConnection.quoted(connection.address.schema) }
  private var quotedCopy: String { ServerConnection.quoted(copy) }

  func run() throws {
    let old = try connection.metadata()
    let (last, migrations) = try counts()
    let grants = try TableGrants(of: connection)
    for table in try connection.storeTables(in: connection.address.schema) + ["strata_counter"] {
      try connection.run(SQLStatement("DROP TABLE \(ServerConnection.quoted(table))"))
    }
    try connection.run("DROP SEQUENCE strata_batch")
    for function in try connection.derivations(in: connection.address.schema) {
      try connection.run(SQLStatement("DROP FUNCTION \(ServerConnection.quoted(function.name))()"))
    }
    for table in try connection.storeTables(in: copy) + ["strata_counter"] {
      let table = ServerConnection.quoted(table)
      try connection.run(SQLStatement("ALTER TABLE \(quotedCopy).\(table) SET SCHEMA \(schema)"))
      try grants.give(table.unquoted, on: table, by: connection)
    }
    for function in try connection.derivations(in: copy) {
      let name = ServerConnection.quoted(function.name)
      try connection.run(SQLStatement("ALTER FUNCTION \(quotedCopy).\(name)() SET SCHEMA \(schema)"))
      try connection.run(SQLStatement("ALTER FUNCTION \(name)() SET search_path FROM CURRENT"))
    }
    try connection.run(SQLStatement("ALTER SEQUENCE \(quotedCopy).strata_batch SET SCHEMA \(schema)"))
    try grants.give("strata_batch", on: "strata_batch", by: connection)
    try continueHistory(after: last, migrations)
    guard let old, let new = try connection.metadata()?.dictionary else { return }
    let bytes = try StoreMetadata.bytes(of: StoreMetadata.remembering(old.dictionary, in: new))
    try connection.run(
      SQLStatement("UPDATE z_metadata SET z_uuid = $1, z_plist = $2", [.text(old.identifier), .blob(bytes)]))
    try connection.run(SQLStatement("SELECT pg_notify($1, '')", [.text(connection.address.channel)]))
  }

  private func counts() throws -> (last: Int64, migrations: Int64) {
    let result = try connection.run("SELECT last, migrations FROM strata_counter")
    return (result.integer(0, 0), result.integer(0, 1))
  }

  /// A gap tells those who have read up to the last number that what follows is not all.
  private func continueHistory(after last: Int64, _ migrations: Int64) throws {
    let next = last.addingCapped(1)
    // In two steps, because two rows must never share a number.
    try connection.run("UPDATE atransaction SET z_pk = -z_pk")
    try connection.run(SQLStatement("UPDATE atransaction SET z_pk = $1 - z_pk", [.integer(next)]))
    try connection.run(
      SQLStatement(
        "UPDATE strata_counter SET last = last + $1, migrations = $2",
        [.integer(next), .integer(migrations.addingCapped(1))]))
  }
}

extension ServerConnection {
  /// The tables of rows, of the store's description and of the history in a schema: not the counter, the readers of the
  /// history, and what others keep there.
  fileprivate func storeTables(in schema: String) throws -> [String] {
    let result = try run(
      SQLStatement(
        """
        SELECT tablename FROM pg_tables WHERE schemaname = $1 \
        AND (tablename LIKE 'z%' OR tablename IN ('achange', 'atransaction')) ORDER BY tablename
        """, [.text(schema)]))
    return (0..<result.rowCount).map { result.text($0, 0) }
  }
}
