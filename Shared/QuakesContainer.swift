import CoreData
import Foundation

/// The stack of every process of Quakes: one model, one store in the folder that they share.
///
/// It adds no state to `NSPersistentContainer`, which is Sendable, so it is as safe to share.
public final class QuakesContainer: NSPersistentContainer, @unchecked Sendable {
  /// The folder that Core Data puts the store into: that of the environment, or the group folder.
  ///
  /// Without a usable folder there is nothing to go on with: the program ends with a sentence and status 4.
  public override class func defaultDirectoryURL() -> URL {
    do {
      return try StoreLocation().folder
    } catch {
      StandardStream.error.line(error.message)
      exit(error.status.rawValue)
    }
  }
}

extension QuakesContainer {
  public enum Access: Sendable {
    /// The store must be there; nothing is ever written.
    case reading
    /// The store is created if it is not there.
    case writing
  }

  /// Opens the store and waits until it is ready.
  ///
  /// - Throws: a `Failure` with status 4 that says what stands in the way.
  public static func open(_ location: StoreLocation, for access: Access) throws(Failure) -> QuakesContainer {
    if access == .writing { try location.createFolder() }
    let container = QuakesContainer(name: StoreLocation.storeName)
    container.persistentStoreDescriptions = [storeDescription(location, access)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw Failure.opening(location, failure) }
    return container
  }

  private static func storeDescription(_ location: StoreLocation, _ access: Access) -> NSPersistentStoreDescription {
    let description = NSPersistentStoreDescription(url: location.storeURL)
    description.shouldAddStoreAsynchronously = false
    description.isReadOnly = access == .reading
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    return description
  }
}

extension QuakesContainer {
  /// Forgets what the store remembers of commits before a date, as far as every process has read it.
  ///
  /// - Throws: what `HistoryFollower.purgeHistory(of:before:)` throws.
  public func forgetHistory(before date: Date) throws {
    for store in persistentStoreCoordinator.persistentStores {
      try HistoryFollower.purgeHistory(of: store, before: date)
    }
  }
}
