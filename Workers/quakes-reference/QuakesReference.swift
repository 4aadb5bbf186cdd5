import CoreData
import Foundation
import StrataQuakes

/// Writes the Reference store from the lines of standard input; `Shared/Reference/build.sh` makes them.
@main
enum QuakesReference {
  static func main() {
    do throws(Failure) {
      guard CommandLine.arguments.count == 2 else {
        throw Failure(.usage, "give the path of the store to write, and the cities on standard input")
      }
      let location = ReferenceLocation(url: URL(fileURLWithPath: CommandLine.arguments[1]))
      let count = try write(try cities(), to: location)
      // As the programs open it.
      let read = try QuakesContainer(name: StoreLocation.storeName).cityGrid(location).grid.count
      guard read == count else {
        throw Failure(.storeUnavailable, "wrote \(count) cities to \(location.url.path), but it has \(read)")
      }
      StandardStream.output.line("\(count) cities in \(location.url.path)")
    } catch {
      StandardStream.error.line("quakes-reference: \(error.message)")
      exit(error.status.rawValue)
    }
  }

  private static func cities() throws(Failure) -> [CityLine] {
    var (cities, number): ([CityLine], Int) = ([], 0)
    while let line = readLine() {
      number += 1
      guard let city = CityLine(line) else {
        throw Failure(
          .badAnswer,
          "line \(number) is no city: it must have an id, a name, a country, a part of it, a latitude, a longitude and "
            + "a population, separated by tabs")
      }
      cities.append(city)
    }
    guard !cities.isEmpty else { throw Failure(.badAnswer, "there are no cities on standard input") }
    return cities
  }

  /// - Returns: how many were written.
  private static func write(_ cities: [CityLine], to location: ReferenceLocation) throws(Failure) -> Int {
    let coordinator = QuakesContainer(name: StoreLocation.storeName).persistentStoreCoordinator
    do {
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: QuakesStore.reference.rawValue, at: location.url)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        for city in cities { city.fill(City(context: context)) }
        try context.save()
      }
      try coordinator.remove(store)
      return cities.count
    } catch {
      let reason = (error as NSError).localizedDescription
      throw Failure(.storeUnavailable, "cannot write \(location.url.path): \(reason)", cause: error)
    }
  }
}

/// A city as standard input has it: tab-separated, and the part of the country may be empty.
private struct CityLine {
  let geonamesID: Int32
  let name: String
  let country: String
  let admin1: String?
  let latitude: Double
  let longitude: Double
  let population: Int32

  init?(_ line: String) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 7, let id = Int32(fields[0]), let latitude = Double(fields[4]), abs(latitude) <= 90,
      let longitude = Double(fields[5]), abs(longitude) <= 180, let population = Int32(fields[6]),
      !fields[1].isEmpty, !fields[2].isEmpty
    else { return nil }
    (geonamesID, name, country, admin1) = (id, fields[1], fields[2], fields[3].isEmpty ? nil : fields[3])
    (self.latitude, self.longitude, self.population) = (latitude, longitude, population)
  }

  func fill(_ city: City) {
    (city.geonamesID, city.name, city.country, city.admin1) = (geonamesID, name, country, admin1)
    (city.latitude, city.longitude, city.population) = (latitude, longitude, population)
  }
}
