import CoreData
import Foundation
import StrataQuakes

/// Writes the Reference store: cities from the lines of standard input, land from a shapefile of countries, the
/// boundaries of plates from a GeoJSON file, regions from tables of the USGS. `Shared/Reference/build.sh` has them all.
@main
enum QuakesReference {
  static func main() {
    do throws(Failure) {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      let location = arguments.location
      let land = if let file = arguments.countries { try Shapefile(file).land } else { [[Shapefile.Point]]() }
      let plates = if let file = arguments.plates { try PlateFile(file).boundaries } else { [PlateFile.Boundary]() }
      let regions = if let folder = arguments.regions { try RegionFiles(folder).regions } else { [RegionTable.Entry]() }
      let cities = try cities()
      try write(cities, land, plates, regions, to: location)
      // As the programs open it.
      let read = try QuakesContainer(name: StoreLocation.storeName).cityGrid(location).grid.count
      guard read == cities.count else {
        throw Failure(.storeUnavailable, "wrote \(cities.count) cities to \(location.url.path), but it has \(read)")
      }
      StandardStream.output.line(
        """
        \(read) cities, \(land.count) outlines of land, \(plates.count) plate boundaries and \(regions.count) regions in \
        \(location.url.path)
        """)
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
          .badResponse,
          "line \(number) is not a city: it must have an ID, a name, a country, a part of it, a latitude, a longitude and "
            + "a population, separated by tabs")
      }
      cities.append(city)
    }
    guard !cities.isEmpty else { throw Failure(.badResponse, "standard input does not contain any cities") }
    return cities
  }

  private static func write(
    _ cities: [CityLine], _ land: [[Shapefile.Point]], _ plates: [PlateFile.Boundary], _ regions: [RegionTable.Entry],
    to location: ReferenceLocation
  ) throws(Failure) {
    let coordinator = QuakesContainer(name: StoreLocation.storeName).persistentStoreCoordinator
    do {
      // Readers of a database in WAL mode would create files next to it.
      let pragmas = [NSSQLitePragmasOption: ["journal_mode": "delete"]]
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: QuakesStore.reference.rawValue, at: location.url, options: pragmas
      )
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        for city in cities { city.fill(City(context: context)) }
        for outline in land {
          let points = outline.map { (x: $0.longitude, y: $0.latitude) }
          add(points, isDetailed: true, to: context)
          let coarse = LineSimplification.simplified(points, tolerance: LandOutline.coarseTolerance)
          // Less than a triangle remains of an islet.
          if coarse.count > 3 { add(coarse, isDetailed: false, to: context) }
        }
        for plate in plates {
          let boundary = PlateBoundary(context: context)
          (boundary.name, boundary.positions) = (plate.name, plate.positions)
        }
        for entry in regions {
          let region = Region(context: context)
          (region.number, region.name, region.cells) = (Int16(clamping: entry.number), entry.name, entry.cells.data)
        }
        try context.save()
      }
      try coordinator.remove(store)
    } catch {
      let reason = (error as NSError).localizedDescription
      throw Failure(.storeUnavailable, "cannot write \(location.url.path): \(reason)", cause: error)
    }
  }

  private static func add(_ outline: [LineSimplification.Point], isDetailed: Bool, to context: NSManagedObjectContext) {
    let object = LandOutline(context: context)
    object.isDetailed = isDetailed
    object.fill(outline.map { (Float($0.y), Float($0.x)) })
  }
}

private struct Arguments {
  let location: ReferenceLocation
  var countries: URL?
  var plates: URL?
  var regions: URL?

  init(_ arguments: ArraySlice<String>) throws(Failure) {
    var paths = Array(arguments)
    plates = Self.take("--plates", from: &paths)
    regions = Self.take("--regions", from: &paths)
    guard let store = paths.first, paths.count <= 2, !paths.contains(where: { $0.hasPrefix("-") }) else {
      throw Failure(
        .usage,
        "give the path of the store to write, the cities on standard input, and optionally a shapefile of countries and "
          + "--plates with a GeoJSON file, --regions with a folder of tables")
    }
    location = ReferenceLocation(url: URL(fileURLWithPath: store))
    if paths.count == 2 { countries = URL(fileURLWithPath: paths[1]) }
  }

  /// - Returns: what follows an option; nil if it is not there.
  private static func take(_ option: String, from paths: inout [String]) -> URL? {
    guard let index = paths.firstIndex(of: option), index + 1 < paths.count else { return nil }
    defer { paths.removeSubrange(index...index + 1) }
    return URL(fileURLWithPath: paths[index + 1])
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
