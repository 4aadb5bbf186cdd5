import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataMemoryStore
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

/// Option of `destroyPersistentStore`: whether a store is destroyed while others have it locked, as an `NSNumber`.
///
/// It has no effect here: a store that another process has open can always be emptied, and locks are always respected.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

/// What is done to a store as a whole, whether or not it is open.
extension NSPersistentStoreCoordinator {
  /// Empties a store. The file remains, since others may have it open, and opening it creates a new store. The file of
  /// an XML or binary store is removed.
  ///
  /// A missing store is not an error: afterwards there is an empty SQLite file, unless the folder is missing.
  /// - Throws: `CocoaError` 134000 for an unknown type, 134090 if another process keeps the writer lock, 256…640 for
  ///   file system errors.
  public func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    if let file = try Self.wholeFile(storeType.rawValue, url) { return try storeErrors { try file.destroy() } }
    guard try Self.isFile(storeType.rawValue, url) else { return }
    try storeErrors { try SQLStore.destroy(at: url, timeout: Self.busyTimeout(options)) }
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
  /// - Throws: the errors of `destroyPersistentStore(at:type:options:)`.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, type sourceType: NSPersistentStore.StoreType
  ) throws {
    if let source = try Self.wholeFile(sourceType.rawValue, sourceURL),
      let target = try Self.wholeFile(sourceType.rawValue, destinationURL)
    {
      return try storeErrors { try target.copy(source) }
    }
    guard try Self.isFile(sourceType.rawValue, sourceURL) else { return }
    try storeErrors {
      try SQLStore.replace(at: destinationURL, with: sourceURL, timeout: Self.busyTimeout(destinationOptions))
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

  /// The file of an atomic store; nil for other types.
  static func wholeFile(_ type: String, _ url: URL) throws -> StoreFile? {
    guard StoreFile.isType(type), StoreClasses.named(type) == nil else { return nil }
    return try storeErrors { try StoreFile(type: type, at: url) }
  }

  /// Whether a store of a type is a file of SQLite's; one in memory is not, and none that is written as a whole.
  static func isFile(_ type: String, _ url: URL) throws -> Bool {
    switch type {
    case NSSQLiteStoreType where url.isFileURL: return true
    case NSSQLiteStoreType:
      throw CocoaError.coreData(.open, "A SQLite store needs a file URL; this one has \(url.absoluteString).")
    case NSInMemoryStoreType: return false
    case let type where StoreFile.isType(type) && StoreClasses.named(type) == nil: return false
    case let type where StoreClasses.named(type) != nil:
      throw CocoaError.coreData(
        .unsupported, "What a store of the type '\(type)' has at \(url.absoluteString) is its class's own matter.")
    default: throw OpenedStore.unknown(type)
    }
  }

  static func busyTimeout(_ options: [AnyHashable: Any]?) -> Double { StoreOptions(options).forSQL().timeout }

  func storeErrors<T>(_ body: () throws -> T) throws -> T { try Self.storeErrors(body) }

  static func storeErrors<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as StoreError { throw CocoaError(error) }
  }
}
