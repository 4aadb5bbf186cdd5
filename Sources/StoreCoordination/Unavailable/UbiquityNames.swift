import Foundation
import StrataObjectGraph

// Names of the service that kept stores in iCloud, which Apple ended. Programs that observe it compile; nothing is ever
// imported, so nothing is posted.

extension NSNotification.Name {
  /// Posted on Apple's platforms, until the service ended, after changes were imported from iCloud. Never posted here.
  @available(*, deprecated, message: "Please see the release notes and Core Data documentation.")
  public static let NSPersistentStoreDidImportUbiquitousContentChanges = NSNotification.Name(
    "com.apple.coredata.ubiquity.importer.didfinishimport")
}

/// The key of the transition in a notification of an iCloud account's change.
@available(*, deprecated, message: "Please see the release notes and Core Data documentation.")
public let NSPersistentStoreUbiquitousTransitionTypeKey = "NSPersistentStoreUbiquitousTransitionTypeKey"

/// The reason that the stores of an iCloud account changed.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistentstoreubiquitoustransitiontype>
@available(*, deprecated, message: "Please see the release notes and Core Data documentation.")
public enum NSPersistentStoreUbiquitousTransitionType: UInt, Sendable {
  /// An account was added.
  case accountAdded = 1
  /// An account was removed.
  case accountRemoved
  /// The account's contents were removed.
  case contentRemoved
  /// The first import ended.
  case initialImportCompleted
}

@available(*, unavailable, message: "iCloud document stores were discontinued; use a local store or PostgreSQL.")
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentNameKey"

@available(*, unavailable, message: "iCloud document stores were discontinued; use a local store or PostgreSQL.")
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURLKey"
