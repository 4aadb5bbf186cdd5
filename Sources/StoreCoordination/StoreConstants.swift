import Foundation

/// The type of a store in a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// The type of a store that lasts as long as the process.
public let NSInMemoryStoreType = "InMemory"

/// Metadata key: the type of the store.
public let NSStoreTypeKey = "NSStoreType"
/// Metadata and notification key: the UUID of the store.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Notification key: the URL of the store.
public let NSPersistentStoreURLKey = "storeURL"
/// Notification key: the place in the history that the notification is about.
public let NSPersistentHistoryTokenKey = "historyToken"

/// Option: whether the store is opened for reading only. NSNumber.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: seconds to wait for other writers. NSNumber; default 240.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: pragmas of SQLite by name; dictionary of strings.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: whether commits are written to the history of the store. NSNumber. Other processes learn of commits by it.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Option: whether `.NSPersistentStoreRemoteChange` is posted for every commit. NSNumber.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// Option: whether an older store is brought to the model. NSNumber.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Option: whether the way from an older model is found by comparing the two. NSNumber.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option: whether statistics are gathered when the store is opened, by which SQLite finds better ways to rows. NSNumber.
/// See https://sqlite.org/lang_analyze.html
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Option: whether the file is written anew, without gaps, when the store is opened. Others wait meanwhile, and it takes as
/// much room again. NSNumber. See https://sqlite.org/lang_vacuum.html
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"

/// Key of StoresDidChange: the stores that were added.
public let NSAddedPersistentStoresKey = "added"
/// Key of StoresDidChange: the stores that were removed.
public let NSRemovedPersistentStoresKey = "removed"
/// Key of StoresDidChange: a store before and after its UUID changed. Absent here, where a store keeps its UUID.
public let NSUUIDChangedPersistentStoresKey = "changed"

extension NSNotification.Name {
  /// Posted on Apple's systems before the stores of an iCloud account change; there are none here.
  public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// Posted when stores were added to or removed from a coordinator. Object: the coordinator.
  public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
    "_NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// Posted before a store is removed. Object: the coordinator.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
    "_NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// Posted when somebody, this process included, committed to a store that was opened with the option for it. Several
  /// commits may share one notification: read the history. On a queue of the coordinator's. Object: the coordinator;
  /// user info: `NSStoreUUIDKey`, `NSPersistentStoreURLKey`, and with history `NSPersistentHistoryTokenKey`.
  public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
}
