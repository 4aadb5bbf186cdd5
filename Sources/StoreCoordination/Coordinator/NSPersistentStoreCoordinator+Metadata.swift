import Foundation
import StrataObjectGraph
import StrataRowStore

/// The metadata of stores that need not be open.
extension NSPersistentStoreCoordinator {
  /// Returns the type, UUID and version hashes of a store, and what the program added. The store need not be open, nor
  /// its model known.
  ///
  /// ```swift
  /// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
  ///   type: .sqlite, at: url)
  /// let isCurrent = model.isConfiguration(
  ///   withName: nil, compatibleWithStoreMetadata: metadata)
  /// print(isCurrent ? "opens" : "needs a migration")
  /// ```
  /// - Throws: `CocoaError` 134000 for an unknown type, 256…260 for a file that is not a store.
  public class func metadataForPersistentStore(
    type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    if let storeClass = StoreClasses.named(storeType.rawValue) {
      return try storeClass.metadataForPersistentStore(with: storeURL)
    }
    let driver = try driver(ofType: storeType, at: storeURL)
    return MetadataValues.shown(try storeErrors { try driver.metadata(at: storeURL) })
  }

  /// Returns the type, UUID and version hashes of a store, and what the program added.
  /// - Throws: the errors of `metadataForPersistentStore(type:at:options:)`.
  public class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(type: .init(rawValue: storeType), at: url, options: options)
  }

  /// Replaces the metadata that the program added to a store, immediately.
  ///
  /// The entries that identify the model of the rows are kept. A UUID under `NSStoreUUIDKey` becomes the store's.
  ///
  /// ```swift
  /// // All entries of the program are replaced: read the others first.
  /// var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
  ///   type: .sqlite, at: url)
  /// metadata["lastImport"] = Date.now
  /// try NSPersistentStoreCoordinator.setMetadata(
  ///   metadata, type: .sqlite, at: url)
  /// ```
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
      try driver.setMetadata(MetadataValues.stored(metadata ?? [:]), at: storeURL, options: StoreOptions(options))
    }
  }

  /// Replaces the metadata that the program added to a store, immediately.
  /// - Throws: the errors of `setMetadata(_:type:at:options:)`.
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, type: .init(rawValue: storeType), at: url, options: options)
  }
}
