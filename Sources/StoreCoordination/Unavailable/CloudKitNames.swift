import Foundation
import StrataObjectGraph

// Apple's names for what needs Apple's service, so that a program reads here what is the matter, and not that there is no
// such type.

/// A container whose store Apple's servers mirror.
@available(
  *, unavailable,
  message: """
    CloudKit is a service for Apple's systems. Use NSPersistentContainer; processes of one machine share a store by \
    NSPersistentHistoryTrackingKey and automaticallyMergesChangesFromParent.
    """
)
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: never made.

  /// An event of the container's work.
  @available(*, unavailable, message: "CloudKit is a service for Apple's systems: nothing is sent or received here.")
  open class Event: NSObject {}

  /// The kinds of work.
  @available(*, unavailable, message: "CloudKit is a service for Apple's systems: nothing is sent or received here.")
  public enum EventType: Int {
    case setup, `import`, export
  }

  /// Posted when work began or ended.
  open class var eventChangedNotification: NSNotification.Name { fatalError("CloudKit is not here.") }

  /// The notification key of the event.
  open class var eventNotificationUserInfoKey: String { fatalError("CloudKit is not here.") }

  /// Creates the record types on the server.
  open func initializeCloudKitSchema(
    options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
  ) throws {}

  open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { false }
  open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { false }
  open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { false }
}

/// Which of Apple's databases mirrors a store.
@available(
  *, unavailable, message: "CloudKit is a service for Apple's systems: leave `cloudKitContainerOptions` out on Linux."
)
open class NSPersistentCloudKitContainerOptions: NSObject {
  public init(containerIdentifier: String) { fatalError("CloudKit is not here.") }
}

/// How the record types are created on the server.
@available(*, unavailable, message: "CloudKit is a service for Apple's systems.")
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let dryRun = Self(rawValue: 2)
  public static let printSchema = Self(rawValue: 4)
}

/// A request for a container's events.
@available(*, unavailable, message: "CloudKit is a service for Apple's systems: nothing is sent or received here.")
open class NSPersistentCloudKitContainerEventRequest: NSPersistentStoreRequest {}

/// The result of a request for a container's events.
@available(*, unavailable, message: "CloudKit is a service for Apple's systems: nothing is sent or received here.")
open class NSPersistentCloudKitContainerEventResult: NSPersistentStoreResult {}

extension NSPersistentStoreDescription {
  /// Which of Apple's databases mirrors the store.
  @available(
    *, unavailable, message: "CloudKit is a service for Apple's systems: leave `cloudKitContainerOptions` out on Linux."
  )
  public var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions? {
    get { nil }
    set {}
  }
}
