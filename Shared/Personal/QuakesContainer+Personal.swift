import CoreData
import Foundation

extension StoreLocation {
  /// The user's own data, apart from the Catalog, so that the Catalog can be deleted and fetched again.
  public var personalURL: URL { folder.appendingPathComponent("Personal.sqlite") }

  public var hasPersonal: Bool { access(personalURL.path, F_OK) == 0 }
}

extension QuakesContainer {
  /// The user's own data alone, to be read.
  ///
  /// - Throws: `Failure` with status 4.
  public static func personal(_ location: StoreLocation) throws(Failure) -> QuakesContainer {
    let container = QuakesContainer(name: StoreLocation.storeName)
    try container.addPersonal(location, for: .reading)
    return container
  }

  /// Adds the user's own data, before the contexts are used.
  ///
  /// - Parameter access: `.writing` creates the store if it is missing; `.reading` does nothing then.
  /// - Returns: nil if there is no such store.
  /// - Throws: `Failure` with status 4; the other stores stay open.
  @discardableResult
  public func addPersonal(_ location: StoreLocation, for access: Access) throws(Failure) -> NSPersistentStore? {
    guard access == .writing || location.hasPersonal else { return nil }
    if access == .writing { location.createFile(location.personalURL) }
    let pragmas = ["cache_size": "-500"]
    do {
      return try persistentStoreCoordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: QuakesStore.personal.rawValue, at: location.personalURL,
        options: [
          NSReadOnlyPersistentStoreOption: (access == .reading) as NSNumber,
          NSPersistentHistoryTrackingKey: true as NSNumber, NSSQLitePragmasOption: pragmas as NSDictionary,
        ])
    } catch {
      throw Failure.personal(location, error: error)
    }
  }
}
