import StrataQuakes
import StrataQuakesConfig

/// The regions of the Reference store, read when they are first needed.
enum KnownRegions {
  /// nil inside if there is no Reference store, or if it has no regions.
  private static let table = Result { () throws(Failure) -> RegionTable? in
    try ReferenceLocation.find().flatMap { (location) throws(Failure) in try RegionTable(location) }
  }

  /// All of them.
  ///
  /// - Throws: `Failure` with status 4 if there are none, which says what would help.
  static func all() throws(Failure) -> RegionTable {
    if let table = try table.get() { return table }
    let advice = "\"sh Shared/Reference/build.sh FOLDER\", and set QUAKES_REFERENCE to FOLDER/Reference.sqlite"
    guard let location = ReferenceLocation.find() else {
      throw Failure(
        .storeUnavailable, "regions are unavailable: the Reference store does not exist; build it with \(advice)")
    }
    throw Failure(
      .storeUnavailable,
      """
      regions are unavailable: the Reference store \(location.url.path) is from an earlier version or was built without \
      them; rebuild it with \(advice)
      """)
  }

  /// What the name of a region means.
  ///
  /// - Throws: `Failure`: of usage if there is no such region; with status 4 if there are none at all.
  static func area(_ text: String) throws(Failure) -> RegionArea { try all().area(named: text) }

  /// The name of the region of a position; nil if it is not known. `quakes doctor` tells of regions that cannot be read.
  static func name(latitude: Double, longitude: Double) -> String? {
    (try? table.get())?.region(latitude: latitude, longitude: longitude)?.name
  }
}

extension QuakeFacts {
  /// Sets the region, if it is known.
  mutating func findRegion() {
    region = KnownRegions.name(latitude: latitude, longitude: longitude)
  }

  /// Puts other words in place of the service's, if they are wanted and known. If neither the service nor a city says where
  /// it was, the region does.
  mutating func setPlace(_ style: PlaceStyle, _ display: DisplayStyle) {
    if style == .nearest, let city = nearestCity, city.tells {
      place = city.text(display)
    } else if style == .region || (place ?? title) == nil {
      place = KnownRegions.name(latitude: latitude, longitude: longitude) ?? place
    }
  }
}
