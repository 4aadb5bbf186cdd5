import Foundation
import StrataObjectGraph

/// Writes a store's objects into the system's index.
@available(
  *, unavailable, message: "Core Spotlight is the index of Apple's systems."
)
open class NSCoreDataCoreSpotlightDelegate: NSObject {
  public init(forStoreWith description: NSPersistentStoreDescription, coordinator psc: NSPersistentStoreCoordinator) {
    fatalError("Core Spotlight is not here.")
  }
  open var isIndexingEnabled: Bool { false }
  open func startSpotlightIndexing() {}
  open func stopSpotlightIndexing() {}
  open func deleteSpotlightIndex(completionHandler: @escaping ((any Error)?) -> Void) {}
  open func domainIdentifier() -> String { "" }
  open func indexName() -> String? { nil }
}

/// Option: what writes the store's objects into the system's index.
@available(
  *, unavailable, message: "Core Spotlight is the index of Apple's systems."
)
public var NSCoreDataCoreSpotlightExporter: String { fatalError("Core Spotlight is not here.") }

extension NSPersistentStore {
  /// The writer of a store's objects into the system's index.
  @available(
    *, unavailable, message: "Core Spotlight is the index of Apple's systems."
  )
  public var coreSpotlightExporter: NSCoreDataCoreSpotlightDelegate { fatalError("Core Spotlight is not here.") }
}

extension NSNotification.Name {
  /// Posted when the system's index has taken objects.
  @available(
    *, unavailable, message: "Core Spotlight is the index of Apple's systems."
  )
  public static var NSCoreDataCoreSpotlightDelegateIndexDidUpdate: NSNotification.Name {
    fatalError("Core Spotlight is not here.")
  }
}
