import CoreData
import Foundation
import StrataQuakes

/// Writes the Reference store: cities from the lines of standard input, coastlines from a shapefile of countries.
/// `Shared/Reference/build.sh` has both.
@main
enum QuakesReference {
  static func main() {
    do throws(Failure) {
      let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
      guard arguments.count == 1 || arguments.count == 2 else {
        throw Failure(
          .usage,
          "give the path of the store to write, the cities on standard input, and maybe a shapefile of countries")
      }
      let location = ReferenceLocation(url: arguments[0])
      let lines = arguments.count == 2 ? try Shapefile(arguments[1]).coastlines : []
      let cities = try cities()
      try write(cities, lines, to: location)
      // As the programs open it.
      let read = try QuakesContainer(name: StoreLocation.storeName).cityGrid(location).grid.count
      guard read == cities.count else {
        throw Failure(.storeUnavailable, "wrote \(cities.count) cities to \(location.url.path), but it has \(read)")
      }
      StandardStream.output.line("\(read) cities and \(lines.count) coastlines in \(location.url.path)")
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

  private static func write(
    _ cities: [CityLine], _ lines: [[Shapefile.Point]], to location: ReferenceLocation
  ) throws(Failure) {
    let coordinator = QuakesContainer(name: StoreLocation.storeName).persistentStoreCoordinator
    do {
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: QuakesStore.reference.rawValue, at: location.url)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        for city in cities { city.fill(City(context: context)) }
        for line in lines {
          Coastline(context: context).positions = line.map { (Float($0.latitude), Float($0.longitude)) }
        }
        try context.save()
      }
      try coordinator.remove(store)
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
