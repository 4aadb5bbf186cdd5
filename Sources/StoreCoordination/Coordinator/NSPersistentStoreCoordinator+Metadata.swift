import Foundation
import StrataCoreDataErrors
import StrataObjectGraph
import StrataRowStore

/// The metadata of stores that need not be open.
extension NSPersistentStoreCoordinator {
  /// Returns the type, UUID and version hashes of a store, and what the program added. The store need not be open, nor
  /// its model known.
  /// - Throws: `CocoaError` 134000 for an unknown type, 256…260 for a file that is not a store.
  public class func metadataForPersistentStore(
    type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    if let storeClass = StoreClasses.named(storeType.rawValue) {
      return try storeClass.metadataForPersistentStore(with: storeURL)
    }
    let driver = try driver(ofType: storeType, at: storeURL)
    let metadata: [String: any Sendable] = try storeErrors { try driver.metadata(at: storeURL) }
    return metadata
  }

  /// Returns the type, UUID and version hashes of a store, and what the program added.
  /// - Throws: the errors of `metadataForPersistentStore(type:at:options:)`.
  public class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(type: .init(rawValue: storeType), at: url, options: options)
  }

  /// Replaces what the program added to the metadata of a store, at once.
  ///
  /// What identifies the model of the rows is kept. A UUID under `NSStoreUUIDKey` becomes the store's.
  /// - Throws: `CocoaError` 134000 for an unknown type, 134091 for a value that a property list cannot hold, 256…640
  ///   for file system errors.
  public class func setMetadata(
    _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    if let storeClass = StoreClasses.named(storeType.rawValue) {
      return try storeClass.setMetadata(metadata, forPersistentStoreAt: storeURL)
    }
    let driver = try driver(ofType: storeType, at: storeURL)
    try storeErrors {
      try driver.setMetadata(metadataValues(metadata ?? [:]), at: storeURL, options: StoreOptions(options))
    }
  }

  /// Replaces what the program added to the metadata of a store, at once.
  /// - Throws: the errors of `setMetadata(_:type:at:options:)`.
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, type: .init(rawValue: storeType), at: url, options: options)
  }

  /// Converts property-list values to values that any thread may read; anything else becomes its description.
  static func metadataValues(_ dictionary: [String: Any]) -> [String: any Sendable] {
    dictionary.mapValues(metadataValue)
  }

  private static func metadataValue(_ value: Any) -> any Sendable {
    switch value {
    case let dictionary as [String: Data]: dictionary
    case let dictionary as [String: Any]: metadataValues(dictionary)
    case let list as [Any]: list.map(metadataValue)
    case let text as String: text
    case let data as Data: data
    case let date as Date: date
    case let flag as Bool where type(of: value) == Bool.self: flag
    case let integer as Int: integer
    case let real as Double: real
    default: String(describing: value)
    }
  }
}
