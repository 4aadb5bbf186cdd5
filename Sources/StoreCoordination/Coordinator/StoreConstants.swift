import Foundation

/// Store type: a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// Store type: an XML file, in Apple's format. It is held in memory, and every save rewrites the file.
public let NSXMLStoreType = "XML"
/// Store type: a binary file, in a format of this framework, because Apple's is not public. It is held in memory, and
/// every save rewrites the file.
public let NSBinaryStoreType = "Binary"
/// Store type: memory. The store lasts as long as the process.
public let NSInMemoryStoreType = "InMemory"

/// Metadata key: the type of the store.
public let NSStoreTypeKey = "NSStoreType"
/// Metadata and notification key: the UUID of the store.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Notification key: the URL of the store.
public let NSPersistentStoreURLKey = "storeURL"
/// Notification key: the history token of the commit.
public let NSPersistentHistoryTokenKey = "historyToken"

/// Store option: whether the store is opened read-only, as an `NSNumber`.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Store option: the time to wait for other writers, in seconds, as an `NSNumber`. Default: 240.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Store option: whether the file of an XML store is checked against its document type, as an `NSNumber`.
///
/// It has no effect: a file is always checked for what a store needs, and no document type is read.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// Store option: the set of classes, besides those of property lists, that may be decoded from a binary store.
///
/// It has no effect: binary stores contain data, which value transformers turn into objects.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// Store option: whether a binary store may decode objects of any class, as an `NSNumber`.
///
/// It has no effect: binary stores contain no objects.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Store option: the number of reading connections that a SQLite store keeps open, as an `NSNumber` of at least 1.
/// Default: 4.
///
/// While more threads read simultaneously, more connections are opened: no reader waits for one.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Store option: whether a store is opened even if its version hashes differ from those of the model, which it then
/// takes, as an `NSNumber`.
///
/// A SQLite store that lacks a table or column of the model is refused all the same.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Store option: SQLite pragmas by name, as a dictionary of strings.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Store option: whether commits are recorded in the store's history, as an `NSNumber`. Other processes need it to
/// merge them.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Store option: whether `.NSPersistentStoreRemoteChange` is posted for every commit, as an `NSNumber`.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// Store option: whether a store of an older model version is migrated, as an `NSNumber`.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Store option: whether the migration can be inferred from the two models, as an `NSNumber`.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Store option: whether a migration defers what the rows can do without, dropping unused columns and creating indexes,
/// as an `NSNumber`. The metadata of a store have this key while work is left.
/// See <https://developer.apple.com/documentation/coredata/nspersistentstoredeferredlightweightmigrationoptionkey>
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// Store option: whether statistics for SQLite's query planner are gathered when the store is opened, as an `NSNumber`.
///
/// See <https://sqlite.org/lang_analyze.html>
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Store option: whether the file is compacted when the store is opened, as an `NSNumber`. Other writers wait
/// until that is done, and it needs as much free space again.
/// See <https://sqlite.org/lang_vacuum.html>
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"

/// Notification key: the stores that were added.
public let NSAddedPersistentStoresKey = "added"
/// Notification key: the stores that were removed.
public let NSRemovedPersistentStoresKey = "removed"
/// Notification key: a store whose UUID changed, as an array of three: the store and its copy after a migration, or the
/// same store twice; and an array of the IDs of its objects before and after, alternating, empty unless it was migrated.
public let NSUUIDChangedPersistentStoresKey = "changed"

extension NSNotification.Name {
  /// Posted on Apple's platforms before the stores of an iCloud account change. Never posted here.
  public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// Posted after stores were added to or removed from a coordinator. Object: the coordinator.
  public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
    "_NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// Posted before a store is removed. Object: the store, as observed on Apple's platforms. Apple's documentation names
  /// the coordinator, which is the store's `persistentStoreCoordinator`.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
    "_NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// Posted after a commit to a store with ``NSPersistentStoreRemoteChangeNotificationPostOptionKey``, by any process
  /// including this one. Object: the coordinator.
  ///
  /// Several commits may share one notification, so read the history. It is posted on a queue of the coordinator's. The
  /// user info has `NSStoreUUIDKey`, `NSPersistentStoreURLKey`, and with history `NSPersistentHistoryTokenKey`.
  ///
  /// ```swift
  /// let commits = NotificationCenter.default.notifications(
  ///   named: .NSPersistentStoreRemoteChange, object: coordinator)
  /// for await _ in commits {  // One for several commits: read the history.
  ///   let request = NSPersistentHistoryChangeRequest.fetchHistory(
  ///     after: lastToken)
  ///   let result = try context.execute(request) as? NSPersistentHistoryResult
  ///   let transactions = result?.result as? [NSPersistentHistoryTransaction]
  ///   lastToken = transactions?.last?.token ?? lastToken
  /// }
  /// ```
  public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
  /// Posted once per store when another process, or another coordinator, has migrated it to another version of the model.
  /// Object: the coordinator. An addition to Apple's API.
  ///
  /// From then on, reads and saves of the store fail with code 134100. A program that runs for long ends and is started
  /// again with its new version, or loads the other model and opens the store with it. A process that follows the store,
  /// by ``NSPersistentStoreRemoteChangeNotificationPostOptionKey`` or a context that merges changes automatically, gets the
  /// notification while it is idle; others at the latest when they save. It is posted on a queue of the coordinator's. The
  /// user info has `NSStoreUUIDKey` and `NSPersistentStoreURLKey`.
  public static let NSPersistentStoreCoordinatorStoreWasMigrated = NSNotification.Name(
    "NSPersistentStoreCoordinatorStoreWasMigratedNotification")
}
