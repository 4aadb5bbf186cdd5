import CoreData
import Foundation

extension QuakesContainer {
  /// Reads the cities of the Reference store, and closes it.
  ///
  /// - Returns: the cities and the store's identifier.
  /// - Throws: `Failure` with status 4.
  public func cityGrid(_ location: ReferenceLocation) throws(Failure) -> (grid: CityGrid, identifier: String?) {
    let store = try addReference(location)
    let context = newBackgroundContext()
    do {
      let grid = try context.performAndWait { try CityGrid(reading: context) }
      let identifier = store.identifier
      try persistentStoreCoordinator.remove(store)
      return (grid, identifier)
    } catch {
      // An error while closing does not matter.
      try? persistentStoreCoordinator.remove(store)
      throw Failure.reference(location, error: error)
    }
  }
}

extension CityGrid {
  /// Reads the cities of a context's Reference store, and keeps none of their objects.
  fileprivate init(reading context: NSManagedObjectContext) throws {
    let request = City.fetchRequest()
    request.returnsObjectsAsFaults = false
    self.init(try context.fetch(request).lazy.map { ($0.geonamesID, $0.latitude, $0.longitude) })
    context.reset()
  }
}

extension Quake {
  /// Sets or clears the nearest city; an object without changes is not saved.
  public func findCity(in grid: CityGrid) {
    let city = grid.nearest(latitude: latitude, longitude: longitude)
    guard
      cityID?.int32Value != city?.geonamesID || cityDistance?.doubleValue != city?.distance
        || cityBearing?.doubleValue != city?.bearing
    else { return }
    cityID = city.map { NSNumber(value: $0.geonamesID) }
    cityDistance = city.map { NSNumber(value: $0.distance) }
    cityBearing = city.map { NSNumber(value: $0.bearing) }
  }
}
