import Foundation
import StrataSupport

/// The version of the Quakes programs.
public enum QuakesVersion {
  public static let text = PackageVersion.text

  /// The version, the Reference store in use, and to whom its data is owed.
  public static var report: String {
    guard let location = ReferenceLocation.find() else {
      return """
        \(text)
        No Reference store, so nearest cities, regions and coastlines are unavailable; build it with "sh Shared/Reference/build.sh FOLDER"
        """
    }
    return """
      \(text)
      Reference store: \(location.url.path)
      Cities: GeoNames (https://www.geonames.org), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), shortened
      Coastlines: Natural Earth (https://www.naturalearthdata.com), public domain
      Plates: Bird (2003, https://doi.org/10.1029/2001GC000252), as GeoJSON of Hugo Ahlenius, Nordpil \
      (https://github.com/fraxen/tectonicplates), ODC-BY 1.0 (https://opendatacommons.org/licenses/by/1-0/)
      Regions: \(regions(of: location))
      """
  }
  /// The attribution of the region data. Loading it is slow, so only `--version` does.
  private static func regions(of location: ReferenceLocation) -> String {
    guard CommandLine.arguments.contains("--version") else { return "" }
    let table = try? RegionTable(location)
    return table == nil
      ? "none; rebuild the store with \"sh Shared/Reference/build.sh FOLDER\""
      : "Flinn and Engdahl, 1995 revision, tables of the USGS (https://www.usgs.gov), public domain"
  }
}
