import Foundation

/// The options of a store, parsed once: those that apply to any store. A driver finds its own in `given`.
package struct StoreOptions {
  /// The program's dictionary.
  package let given: [AnyHashable: Any]
  package var isReadOnly: Bool
  /// Whether commits are recorded in the history.
  package var keepsHistory: Bool
  package var postsRemoteChanges: Bool
  /// Seconds to wait for other writers. Apple's default is 240.
  package var timeout: TimeInterval
  /// Whether to open a store whose version hashes differ from the model's.
  package var ignoresVersions: Bool
  /// Whether to migrate an older store, by stages or by a mapping model in a file.
  package var migratesAutomatically: Bool
  /// Whether to infer the migration of an older store, too.
  package var infersMapping: Bool
  /// Whether to defer whatever the rows can do without.
  package var defersMigration: Bool
  /// Whether a migration lets an attribute become mandatory if all rows have a value.
  var checksRowsOfMandatoryAttributes: Bool { flag(Self.checksRowsKey) }
  static let checksRowsKey = "StrataChecksRowsOfMandatoryAttributes"

  init(_ options: [AnyHashable: Any]?) {
    let given = options ?? [:]
    func flag(_ key: String) -> Bool { Self.flag(key, in: given) }
    self.given = given
    isReadOnly = flag(NSReadOnlyPersistentStoreOption)
    // The value may also be a dictionary of options, which asks for history too.
    keepsHistory = flag(NSPersistentHistoryTrackingKey) || given[NSPersistentHistoryTrackingKey] is NSDictionary
    postsRemoteChanges = flag(NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    timeout = (given[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240
    ignoresVersions = flag(NSIgnorePersistentStoreVersioningOption)
    migratesAutomatically = flag(NSMigratePersistentStoresAutomaticallyOption)
    infersMapping = migratesAutomatically && flag(NSInferMappingModelAutomaticallyOption)
    defersMigration = flag(NSPersistentStoreDeferredLightweightMigrationOptionKey)
  }

  package func number(_ key: String) -> NSNumber? { given[key] as? NSNumber }
  package func flag(_ key: String) -> Bool { Self.flag(key, in: given) }

  /// One option of a store, without reading the others.
  static func flag(_ key: String, in options: [AnyHashable: Any]?) -> Bool {
    (options?[key] as? NSNumber)?.boolValue ?? false
  }
}
