import CoreData
import Foundation

/// The Core Data stack of every Quakes process: one model, the Catalog in a shared folder, and the other stores that a
/// process adds.
///
/// @unchecked: it adds no state to `NSPersistentContainer`, which is Sendable.
public final class QuakesContainer: NSPersistentContainer, @unchecked Sendable {
  /// The store's folder: from the environment, or the group folder.
  ///
  /// Without a usable folder the program cannot continue: it prints why and exits with status 4.
  public override class func defaultDirectoryURL() -> URL {
    do {
      return try StoreLocation().folder
    } catch {
      StandardStream.error.line("\(error.message)")
      exit(error.status.rawValue)
    }
  }
}

extension QuakesContainer {
  public enum Access: Sendable {
    /// Read-only; the store must exist.
    case reading
    /// Creates the store if missing.
    case writing
  }

  /// Opens the Catalog, and no other store, and waits until it is ready.
  ///
  /// - Parameter isWatched: whether `.NSPersistentStoreRemoteChange` is posted for every commit.
  /// - Throws: `Failure` with status 4.
  public static func open(
    _ location: StoreLocation, for access: Access, isWatched: Bool = false
  ) throws(Failure) -> QuakesContainer {
    if access == .writing {
      try location.createFolder()
      if location.serverURL == nil { location.createFile(location.storeURL) }
    }
    let container = QuakesContainer(name: StoreLocation.storeName)
    let description = storeDescription(location, for: access)
    if isWatched {
      description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw Failure.opening(location, error: failure) }
    if access == .writing { try container.completeMigration(of: location) }
    return container
  }

  private static func storeDescription(_ location: StoreLocation, for access: Access) -> NSPersistentStoreDescription {
    let description = NSPersistentStoreDescription(url: location.storeURL)
    description.type = location.storeType
    description.shouldAddStoreAsynchronously = false
    description.configuration = QuakesStore.catalog.rawValue
    description.isReadOnly = access == .reading
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    // Small programs that run all day: without this, a large part of the store is in memory while it is read.
    description.setValue((access == .writing ? "-4000" : "-2000") as NSString, forPragmaNamed: "cache_size")
    return description
  }
}

extension QuakesContainer {
  /// Purges the Catalog's history before a date, except what some process has not read yet.
  ///
  /// - Throws: what `HistoryFollower.purgeHistory(of:before:)` throws.
  public func purgeHistory(before date: Date) throws {
    guard let catalog = store(.catalog) else { return }
    try HistoryFollower.purgeHistory(of: catalog, before: date)
  }
}
