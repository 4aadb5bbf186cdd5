import Foundation
import StrataObjectGraph
import Synchronization

/// All types of store, with the driver of each. A module with a back end of its own registers another.
package enum StoreDrivers {
  private static let table = Mutex<[String: any StoreDriver]>([
    NSSQLiteStoreType: SQLiteDriver(),
    NSInMemoryStoreType: MemoryDriver(),
    NSXMLStoreType: FileDriver(type: NSXMLStoreType),
    NSBinaryStoreType: FileDriver(type: NSBinaryStoreType),
  ])

  package static func register(_ driver: any StoreDriver, forStoreType type: String) {
    table.withLock { $0[type] = driver }
  }

  static var types: [String] { table.withLock { Array($0.keys) } }

  /// - Throws: `CocoaError` 134000 for a type that does not exist here.
  static func driver(ofType type: String) throws -> any StoreDriver {
    if let driver = table.withLock({ $0[type] }) { return driver }
    throw CocoaError.coreData(
      .invalidStoreType,
      "Unknown store type '\(type)': use NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType or "
        + "NSInMemoryStoreType, or register a class for it with registerStoreClass(_:forStoreType:).")
  }
}
