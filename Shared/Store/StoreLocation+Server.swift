import Foundation

#if QUAKES_POSTGRESQL
import CoreDataPostgreSQL
#else
import CoreData
#endif

extension StoreLocation {
  /// The type of the Catalog's store.
  var storeType: String {
    #if QUAKES_POSTGRESQL
    if serverURL != nil { return NSPostgreSQLStoreType }
    #endif
    return NSSQLiteStoreType
  }

  /// - Throws: `Failure` with status 4 if it is not a URL, or if these programs were built without PostgreSQL.
  static func serverURL(_ text: String) throws(Failure) -> URL {
    #if QUAKES_POSTGRESQL
    if let url = URL(string: text) { return url }
    throw Failure(
      .storeUnavailable, "\"\(text)\" is not a store URL; write it as postgresql://host/database?schema=quakes")
    #else
    throw Failure(
      .storeUnavailable,
      """
      these programs were built without PostgreSQL; install libpq-dev and build them with "QUAKES_POSTGRESQL=1 sh \
      Workers/up.sh", or name a folder with --store or QUAKES_STORE
      """)
    #endif
  }
}
