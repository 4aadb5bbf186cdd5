import Foundation
import StrataCoreDataErrors
import StrataDiagnostics
import StrataManagedModel
import StrataMemoryStore
import StrataModelFiles
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

/// A back end as the options of a store ask for it.
struct OpenedStore {
  var backEnd: any BackEnd
  var follower: StoreFollower?
  var type: String
  var url: URL?
  var isReadOnly: Bool

  /// Opens a store of a type.
  /// - Throws: `CocoaError` 134000 for a type that does not exist here, 134100 for a store of another model, 256…640 for
  ///   what stands in the way on the disk.
  init(
    type: String, configuration: String?, url: URL?, options: StoreOptions, model: NSManagedObjectModel, number: Int
  ) throws {
    self.type = type
    self.url = url
    isReadOnly = options.isReadOnly
    // Whatever the store: a predicate in memory meets its rows too.
    _ = TransformedValue.lent
    do {
      switch type {
      case NSSQLiteStoreType:
        guard let url, url.isFileURL else {
          throw CocoaError.coreData(
            .open, "A SQLite store needs a file URL; this one has \(url?.absoluteString ?? "none").")
        }
        let store = try SQLStore(
          opening: url, model: model, configuration: configuration, number: number,
          options: options.forSQL(model))
        backEnd = store
        if store.keepsHistory { follower = try StoreFollower(of: store) }
        if store.isReadOnly, !isReadOnly {
          isReadOnly = true
          Diagnostics.warn(
            "Store opened without NSPersistentHistoryTrackingKey but previously had been opened with "
              + "NSPersistentHistoryTrackingKey - Forcing into Read Only mode store at '\(url.absoluteString)'")
        }
      case NSInMemoryStoreType:
        backEnd = try MemoryStore(
          model: model, configuration: configuration, number: number, keepsHistory: options.keepsHistory)
      case let type where StoreFile.isType(type):
        guard let url else { throw CocoaError.coreData(.open, "A store of the type '\(type)' needs a file URL.") }
        backEnd = try MemoryStore(
          in: try StoreFile(type: type, at: url, isReadOnly: isReadOnly), model: model, configuration: configuration,
          number: number, ignoresVersions: options.ignoresVersions)
      default:
        throw Self.unknown(type)
      }
    } catch let error as StoreError {
      throw CocoaError(error, opening: type, configuration: configuration, at: url, with: model)
    }
  }
}

extension OpenedStore {
  static func unknown(_ type: String) -> CocoaError {
    CocoaError.coreData(
      .invalidStoreType,
      "There is no store type '\(type)' here: use NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType or NSInMemoryStoreType, or register a class for it "
        + "with registerStoreClass(_:forStoreType:).")
  }
}

/// The options of a store, read once.
struct StoreOptions {
  var isReadOnly = false
  var keepsHistory = false
  var postsRemoteChanges = false
  var timeout: TimeInterval?
  var pragmas: [String: String] = [:]
  var analyzes = false
  var vacuums = false
  var mostReadersAtRest: Int?
  var ignoresVersions = false
  /// Whether an older store is brought to the model, by stages or by a mapping model in a file.
  var migratesAutomatically = false
  /// Whether an older store is brought to the model as can be inferred, too.
  var infersMapping = false
  /// Whether what rows can do without is left for later then.
  var defersMigration = false
  /// The stages by which it is, if it has any.
  var stages: NSStagedMigrationManager?

  init(_ options: [AnyHashable: Any]?) {
    func flag(_ key: String) -> Bool { (options?[key] as? NSNumber)?.boolValue ?? false }
    isReadOnly = flag(NSReadOnlyPersistentStoreOption)
    // The value may be a dictionary of options too, which asks for history as well.
    keepsHistory = flag(NSPersistentHistoryTrackingKey) || options?[NSPersistentHistoryTrackingKey] is NSDictionary
    postsRemoteChanges = flag(NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    timeout = (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue
    stages = options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager
    migratesAutomatically = flag(NSMigratePersistentStoresAutomaticallyOption)
    infersMapping = migratesAutomatically && flag(NSInferMappingModelAutomaticallyOption)
    if !infersMapping { stages = nil }
    defersMigration = flag(NSPersistentStoreDeferredLightweightMigrationOptionKey)
    analyzes = flag(NSSQLiteAnalyzeOption)
    vacuums = flag(NSSQLiteManualVacuumOption)
    mostReadersAtRest = (options?[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber)?.intValue
    ignoresVersions = flag(NSIgnorePersistentStoreVersioningOption)
    for (name, value) in options?[NSSQLitePragmasOption] as? [String: Any] ?? [:] { pragmas[name] = "\(value)" }
  }

  /// - Parameter target: what an older store is to be brought to; nil for questions that bring none there.
  func forSQL(_ target: NSManagedObjectModel? = nil) -> SQLStoreOptions {
    var options = SQLStoreOptions()
    options.isReadOnly = isReadOnly
    options.keepsHistory = keepsHistory
    options.pragmas = pragmas
    options.analyzes = analyzes
    options.vacuums = vacuums
    options.ignoresVersions = ignoresVersions
    if let timeout { options.timeout = timeout }
    if let mostReadersAtRest { options.mostReadersAtRest = max(1, mostReadersAtRest) }
    if infersMapping, let target {
      options.migration = SQLStoreOptions.Migration {
        NSMappingModel(from: Bundle.ofTheProgram, forSourceModel: $0, destinationModel: target) != nil
      } findModel: {
        NSManagedObjectModel.mergedModel(from: Bundle.ofTheProgram, forStoreMetadata: $0)
      }
      options.migration?.defers = defersMigration
    }
    options.bundleID = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    options.processID = "\(ProcessInfo.processInfo.processIdentifier)"
    return options
  }
}
