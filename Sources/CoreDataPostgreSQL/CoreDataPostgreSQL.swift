/// Core Data on PostgreSQL: stores that programs on several hosts share.
@_exported import CoreData
import StrataPostgreSQLStore
import StrataStoreCoordination

/// Store type: a schema of a PostgreSQL database, which programs on any number of hosts may have open. Each merges the
/// others' commits by itself, exactly once and in order, as with a SQLite file that several processes share.
///
/// ```swift
/// import CoreDataPostgreSQL
///
/// let url = URL(
///   string: "postgresql://books@db.example.org/library?schema=books")!
/// let description = NSPersistentStoreDescription(url: url)
/// description.type = NSPostgreSQLStoreType
/// description.setOption(
///   true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// container.persistentStoreDescriptions = [description]
/// ```
///
/// The URL is libpq's, with the name of the store's schema added; without one it is that of the database. Passwords come
/// from libpq's own places: `~/.pgpass`, a service file, or `PGPASSWORD`. The first program that opens the store creates
/// the schema and its tables.
///
/// A store of an older model version is migrated like one in a file, by the first program that opens it with a newer
/// one: in one transaction, which the others wait for. A program that still has the older version open cannot save from
/// then on. The role that migrates must own the schema; its tables keep the rights of other roles, and tables of new
/// entities have those of `ALTER DEFAULT PRIVILEGES`. Nothing of a migration is deferred.
///
/// This is an addition to Apple's API. The type is known to coordinators once it is named, as here.
/// See <https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING>
public let NSPostgreSQLStoreType: String = {
  StoreDrivers.register(PostgreSQLDriver(), forStoreType: PostgreSQLStore.type)
  return PostgreSQLStore.type
}()

extension NSPersistentStore.StoreType {
  /// A schema of a PostgreSQL database: see ``NSPostgreSQLStoreType``.
  public static let postgreSQL = NSPersistentStore.StoreType(rawValue: NSPostgreSQLStoreType)
}
