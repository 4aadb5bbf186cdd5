import CoreData
import StrataQuakes
import StrataQuakesMap

extension MapOutlines {
  /// Reads the coasts and the boundaries of plates from the Reference store. A map is of use without them, so what is
  /// missing is told on standard error.
  init(reading store: OpenStore) {
    self.init()
    guard let reference = store.reference else {
      // One that cannot be used was told when it was opened.
      if ReferenceLocation.find() == nil {
        StandardStream.error.line(
          """
          quakes: there is no Reference store, so the map has no coastline; build it with "sh Shared/Reference/build.sh \
          FOLDER", and let QUAKES_REFERENCE name FOLDER/Reference.sqlite
          """)
      }
      return
    }
    do {
      try store.context.performAndWait {
        coasts = try store.context.fetch(Coastline.fetchRequest()).map(Self.positions)
        plates = try store.context.fetch(PlateBoundary.fetchRequest()).map(Self.positions)
      }
    } catch {
      StandardStream.error.line("quakes: \(Failure.reference(reference, error: error).message)")
    }
  }

  private static func positions(of line: some GeoLine) -> [MapPosition] {
    line.positions.map { MapPosition(latitude: Double($0.latitude), longitude: Double($0.longitude)) }
  }
}

extension MapLabel {
  /// Degrees of longitude above which a map is crowded without names.
  private static let widestRegion = 60.0

  /// The largest cities of a region, the largest first.
  static func cities(in region: MapRegion, of store: OpenStore) -> [MapLabel] {
    guard region.width <= widestRegion, store.reference != nil, let box = region.box else { return [] }
    // A Reference store that cannot be read was told when the coasts were read.
    let labels = try? store.context.performAndWait {
      try City.largest(in: box, limit: 60, in: store.context).map {
        MapLabel($0.name ?? "", latitude: $0.latitude, longitude: $0.longitude)
      }
    }
    return labels ?? []
  }
}
