/// The version of the Quakes programs.
public enum QuakesVersion {
  public static let text = "0.1.0"

  /// The version, the Reference store in use, and to whom its data is owed.
  public static var report: String {
    guard let location = ReferenceLocation.find() else {
      return """
        \(text)
        No Reference store, so nearest cities are not known; build it with "sh Shared/Reference/build.sh FOLDER"
        """
    }
    return """
      \(text)
      Reference store: \(location.url.path)
      Cities: GeoNames (https://www.geonames.org), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), shortened
      Coastline: Natural Earth (https://www.naturalearthdata.com), public domain
      """
  }
}
