import StrataQuakes
import StrataQuakesConfig

/// The regions of the Reference store, read when they are first needed.
enum KnownRegions {
  /// nil if the Reference store does not exist or does not contain regions.
  private static let table = Result { () throws(Failure) -> RegionTable? in
    try ReferenceLocation.find().flatMap { (location) throws(Failure) in try RegionTable(location) }
  }

  /// All of them.
  ///
  /// - Throws: `Failure` with status 4 if they are unavailable, with a suggestion.
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

  /// The regions of a name.
  ///
  /// - Throws: `Failure`: of usage if no region matches; with status 4 if regions are unavailable.
  static func area(_ text: String) throws(Failure) -> RegionArea { try all().area(named: text) }

  /// Whether a region has a name with this text in it; false if regions are unavailable.
  static func has(_ text: String) -> Bool { (try? table.get())?.hasRegion(named: text) ?? false }

  /// The name of the region of a position; nil if it is unknown. `quakes doctor` reports regions that cannot be read.
  static func name(latitude: Double, longitude: Double) -> String? {
    (try? table.get())?.region(latitude: latitude, longitude: longitude)?.name
  }
}

extension QuakeFacts {
  /// Sets the region, if it is known.
  mutating func findRegion() {
    region = KnownRegions.name(latitude: latitude, longitude: longitude)
  }

  /// Replaces the service's place with the nearest city or the region, according to the style. Falls back to the region if
  /// neither the service nor a city provides a place.
  mutating func setPlace(_ style: PlaceStyle, _ display: DisplayStyle) {
    if style == .nearest, let city = nearestCity, city.isDescriptive {
      place = city.text(display)
    } else if style == .region || (place ?? title) == nil {
      place = KnownRegions.name(latitude: latitude, longitude: longitude) ?? place
    }
  }
}
