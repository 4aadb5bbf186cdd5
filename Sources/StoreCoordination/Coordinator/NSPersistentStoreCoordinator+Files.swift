import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// Option of `destroyPersistentStore`: whether a store is destroyed while others have it locked, as an `NSNumber`.
///
/// It has no effect here: a store that another process has open can always be emptied, and locks are always respected.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

/// Operations on a whole store, open or not.
extension NSPersistentStoreCoordinator {
  /// Empties a store. The file remains, since others may have it open, and opening it creates a new store. The file of
  /// an XML or binary store is removed.
  ///
  /// A missing store is not an error: afterwards there is an empty SQLite file.
  ///
  /// ```swift
  /// // Deleting the files would damage a store that another process has open.
  /// try coordinator.destroyPersistentStore(at: url, type: .sqlite)
  /// ```
  /// - Throws: `CocoaError` 134000 for an unknown type, 134080 for a SQLite store in a missing folder and for one in memory
  ///   that is not open, such as `/dev/null`, 134090 if another process keeps the writer lock, 256…640 for file system
  ///   errors.
  public func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    let driver = try Self.driver(ofType: storeType, at: url)
    try storeErrors { try driver.destroy(at: url, options: StoreOptions(options)) }
  }

  /// Empties a store.
  /// - Throws: the errors of `destroyPersistentStore(at:type:options:)`.
  public func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, type: .init(rawValue: storeType), options: options)
  }

  /// Replaces a store with a copy of another. Neither needs to be open, and the destination need not exist. Processes
  /// that have the destination open see it before or after, never in between.
  ///
  /// ```swift
  /// // A backup. Copying the file would miss commits in the write-ahead log.
  /// try coordinator.replacePersistentStore(
  ///   at: newURL, withPersistentStoreFrom: url, type: .sqlite)
  /// ```
  /// - Throws: the errors of `destroyPersistentStore(at:type:options:)`.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, type sourceType: NSPersistentStore.StoreType
  ) throws {
    let driver = try Self.driver(ofType: sourceType, at: sourceURL)
    try storeErrors {
      try driver.replace(at: destinationURL, with: sourceURL, options: StoreOptions(destinationOptions))
    }
  }

  /// Replaces a store with a copy of another.
  /// - Throws: the errors of
  ///   `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)`.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions, type: .init(rawValue: storeType))
  }

  /// The driver for a type of store.
  /// - Throws: `CocoaError` 134091 if a program has registered a class for the type, 134000 if the type is unknown.
  static func driver(ofType type: NSPersistentStore.StoreType, at url: URL) throws -> any StoreDriver {
    guard StoreClasses.named(type.rawValue) == nil else {
      throw CocoaError.coreData(
        .unsupported, "What a store of the type '\(type.rawValue)' has at \(url.shown) is its class's own matter.")
    }
    return try StoreDrivers.driver(ofType: type.rawValue)
  }

  func storeErrors<T>(_ body: () throws -> T) throws -> T { try Self.storeErrors(body) }

  static func storeErrors<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as StoreError { throw CocoaError(error) }
  }
}
