import CoreData
import Foundation

/// A store of the coordinator; the name is the configuration's in the model.
public enum QuakesStore: String, CaseIterable, Sendable {
  /// What the services said; all processes share it.
  case catalog = "Catalog"
  /// The user's own data: places, marks, alerts.
  case personal = "Personal"
  /// What does not change: cities, coastlines, plate boundaries.
  case reference = "Reference"
  /// What must not be written to a disk.
  case session = "Session"
}

extension QuakesContainer {
  /// An open store; nil if it was not added.
  public func store(_ store: QuakesStore) -> NSPersistentStore? {
    persistentStoreCoordinator.persistentStores.first { $0.configurationName == store.rawValue }
  }

  /// Adds the Reference store, read-only, before the contexts are used.
  ///
  /// - Throws: `Failure` with status 4; the other stores stay open.
  @discardableResult
  public func addReference(_ location: ReferenceLocation) throws(Failure) -> NSPersistentStore {
    let pragmas = ["mmap_size": "0", "cache_size": "-500"]
    do {
      return try persistentStoreCoordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: QuakesStore.reference.rawValue, at: location.url,
        options: [NSReadOnlyPersistentStoreOption: true as NSNumber, NSSQLitePragmasOption: pragmas as NSDictionary])
    } catch {
      throw Failure.reference(location, error: error)
    }
  }

  /// Adds an empty store in memory.
  ///
  /// - Throws: `Failure` with status 4.
  public func addSession() throws(Failure) {
    do {
      try persistentStoreCoordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: QuakesStore.session.rawValue, at: nil)
    } catch {
      let reason = (error as NSError).localizedDescription
      throw Failure(.storeUnavailable, "cannot make a store in memory: \(reason)", cause: error)
    }
  }
}
