import CoreData
import Foundation

/// Tells the nearest cities of earthquakes by the names in the Reference store, each of which is read once.
///
/// A damaged Reference store only makes the names unavailable: `failure` then has the reason.
public struct CityNames {
  private let context: NSManagedObjectContext
  private let location: ReferenceLocation
  /// nil for a city that the store does not have.
  private var known: [Int32: (name: String, country: String, region: String?, population: Int)?] = [:]
  public private(set) var failure: Failure?

  /// - Parameter context: of a container with the Reference store; used on its queue.
  public init(in context: NSManagedObjectContext, of location: ReferenceLocation) {
    (self.context, self.location) = (context, location)
  }

  /// Everything that readers show, with the nearest city.
  public mutating func facts(of quake: Quake) -> QuakeFacts {
    var facts = quake.facts
    guard let id = quake.cityID?.int32Value, let distance = quake.cityDistance, let bearing = quake.cityBearing,
      let city = city(id)
    else { return facts }
    facts.nearestCity = NearestCity(
      name: city.name, country: city.country, region: city.region, population: city.population,
      distance: distance.doubleValue, bearing: bearing.doubleValue)
    return facts
  }

  private mutating func city(_ id: Int32) -> (name: String, country: String, region: String?, population: Int)? {
    if let city = known[id] { return city }
    guard failure == nil else { return nil }
    let request = City.fetchRequest()
    request.predicate = NSPredicate(format: "geonamesID == %@", argumentArray: [id])
    request.returnsObjectsAsFaults = false
    do {
      let city = try context.fetch(request).first.map {
        ($0.name ?? "?", $0.country ?? "?", $0.admin1, Int($0.population))
      }
      known[id] = .some(city)
      return city
    } catch {
      failure = .reference(location, error: error)
      return nil
    }
  }
}
