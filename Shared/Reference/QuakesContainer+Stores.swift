import CoreData
import Foundation

/// A store of the coordinator; the name is the configuration's in the model.
public enum QuakesStore: String, CaseIterable, Sendable {
  /// The services' data, shared by all processes.
  case catalog = "Catalog"
  /// The user's own data: places, marks, alerts.
  case personal = "Personal"
  /// Static data: cities, land, plate boundaries, regions.
  case reference = "Reference"
  /// Data that must not be written to a disk.
  case session = "Session"

  /// The Reference stores of earlier versions: the first had coastlines instead of land, and no regions.
  fileprivate static let (referenceWithoutLand, referenceWithoutRegions) = (
    "Reference without land", "Reference without regions"
  )

  fileprivate var configurations: [String] {
    self == .reference ? [rawValue, Self.referenceWithoutLand, Self.referenceWithoutRegions] : [rawValue]
  }
}

extension NSPersistentStore {
  /// Whether `Region` can be fetched from it.
  var hasRegions: Bool { configurationName != QuakesStore.referenceWithoutRegions }

  /// Whether `LandOutline` can be fetched from it, and not `Coastline`.
  public var hasLand: Bool { configurationName == QuakesStore.reference.rawValue }
}

extension QuakesContainer {
  /// An open store; nil if it was not added.
  public func store(_ store: QuakesStore) -> NSPersistentStore? {
    persistentStoreCoordinator.persistentStores.first { store.configurations.contains($0.configurationName) }
  }

  /// Adds the Reference store, read-only, before the contexts are used; also one of an earlier version.
  ///
  /// - Throws: `Failure` with status 4; the other stores stay open.
  @discardableResult
  public func addReference(_ location: ReferenceLocation) throws(Failure) -> NSPersistentStore {
    do {
      return try addReference(location, as: QuakesStore.reference.rawValue)
    } catch {
      for configuration in QuakesStore.reference.configurations.dropFirst() {
        if let store = try? addReference(location, as: configuration) { return store }
      }
      throw Failure.reference(location, error: error)
    }
  }

  private func addReference(_ location: ReferenceLocation, as configuration: String) throws -> NSPersistentStore {
    let pragmas = ["cache_size": "-500"]
    return try persistentStoreCoordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: configuration, at: location.url,
      options: [NSReadOnlyPersistentStoreOption: true as NSNumber, NSSQLitePragmasOption: pragmas as NSDictionary])
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
      throw Failure(.storeUnavailable, "cannot create a store in memory: \(reason)", cause: error)
    }
  }
}
