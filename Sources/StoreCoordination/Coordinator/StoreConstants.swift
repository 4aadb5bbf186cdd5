import Foundation

/// The type of a store in a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// The type of a store in an XML file, of the form that Apple's framework writes. All of it is in memory, and every save
/// writes the file anew.
public let NSXMLStoreType = "XML"
/// The type of a store in a binary file, of a form of this framework's own: Apple's is not public. All of it is in memory,
/// and every save writes the file anew.
public let NSBinaryStoreType = "Binary"
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
/// Option: whether the file of an XML store is checked against its document type. NSNumber. What a file must have to be a
/// store is always checked here, and no document type is read.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// Option: the classes that may be decoded from a binary store, beside those of property lists. A set of classes. No
/// objects are decoded from such a file here, but data, which value transformers make objects of.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// Option: whether a binary store may decode objects of any class. NSNumber. Without effect, as no file has objects here.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Option: how many connections that read a SQLite store stay open for the next question. NSNumber, 1 or more; default 4.
/// More are opened while more threads read at once: nobody waits for one.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Option: whether a store is opened although its version hashes are not those of the model, which it then gets. NSNumber.
/// A SQLite store without a table or column of the model is refused all the same.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
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
/// Key of StoresDidChange: a store before and after its UUID changed, as an array of two: the store and its copy when it
/// was migrated, twice the same store when it was given another UUID.
public let NSUUIDChangedPersistentStoresKey = "changed"

extension NSNotification.Name {
  /// Posted on Apple's systems before the stores of an iCloud account change; there are none here.
  public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// Posted when stores were added to or removed from a coordinator. Object: the coordinator.
  public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
    "_NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// Posted before a store is removed. Object: the store, as programs find it on Apple's systems; Apple's documentation
  /// names the coordinator, which is the store's `persistentStoreCoordinator`.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
    "_NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// Posted when somebody, this process included, committed to a store that was opened with the option for it. Several
  /// commits may share one notification: read the history. On a queue of the coordinator's. Object: the coordinator;
  /// user info: `NSStoreUUIDKey`, `NSPersistentStoreURLKey`, and with history `NSPersistentHistoryTokenKey`.
  public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
}
