import Foundation
import StrataRowStore

/// Where a store is: a schema of a database. `postgresql://user@host:5432/database?schema=books`, with any other
/// parameters that libpq takes. Without a schema the store is in the one that has the database's name.
///
/// Passwords come from libpq's own places (`~/.pgpass`, a service file, PGPASSWORD) or, at worst, from the URL; they are
/// never in `description`. See https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
package struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
  /// The schema that holds the tables.
  package let schema: String
  /// The connection string for libpq: the URL without the schema.
  let connectionString: String
  /// The URL without a password, for messages and metadata.
  package let description: String

  /// Whether the URLs of both stores name one database.
  package func isSameDatabase(as other: ServerAddress) -> Bool { connectionString == other.connectionString }

  /// The names of schemas that are the server's own.
  private static func isReserved(_ schema: String) -> Bool {
    schema.hasPrefix("pg_") || schema == "information_schema" || schema == "public"
  }

  /// The most bytes of a name: https://www.postgresql.org/docs/current/limits.html
  private static let maximumNameLength = 63

  /// - Throws: `StoreError` with `.notOpen` for a URL that names no server, or no schema that a store may have.
  package init(_ url: URL) throws {
    guard ["postgresql", "postgres"].contains(url.scheme), var parts = URLComponents(string: url.absoluteString) else {
      throw StoreError(
        .notOpen,
        "A PostgreSQL store needs a URL such as 'postgresql://host/database?schema=books'; "
          + "this one begins with '\(url.scheme ?? "")'.")
    }
    let items = parts.queryItems ?? []
    let others = items.filter { $0.name != "schema" }
    parts.queryItems = others.isEmpty ? nil : others
    connectionString = parts.string ?? url.absoluteString
    description = url.shownURL
    let database = parts.path.split(separator: "/").first.map(String.init)
    let name = items.first { $0.name == "schema" }?.value ?? database ?? ""
    guard !name.isEmpty, !Self.isReserved(name), name.utf8.count <= Self.maximumNameLength, !name.utf8.contains(0)
    else {
      throw StoreError(
        .notOpen,
        "Cannot open the store '\(description)': its schema cannot be named '\(name)': a store needs a schema of its own, "
          + "with a name of at most \(Self.maximumNameLength) bytes. Name one with '?schema=books'.")
    }
    schema = name
  }
}
