import CoreData
import Foundation
import StrataQuakes
import StrataQuakesMap

extension MapOutlines {
  /// Reads the land and the plate boundaries from the Reference store. A map is useful without them, so missing ones only
  /// cause a warning.
  ///
  /// - Parameters: as of `init(in:visible:height:)`.
  init(reading store: OpenStore, visible: MapRegion, height: Int) {
    self.init()
    guard let reference = store.reference else {
      // Errors were reported when the store was opened.
      if ReferenceLocation.find() == nil {
        StandardStream.error.line(
          """
          quakes: the Reference store does not exist, so the map has no coastline; build it with "sh Shared/Reference/build.sh \
          FOLDER", and set QUAKES_REFERENCE to FOLDER/Reference.sqlite
          """)
      }
      return
    }
    do {
      self = try store.context.performAndWait {
        try MapOutlines(in: store.context, visible: visible, height: height)
      }
      if coasts.isEmpty, visible.width > 180 {
        StandardStream.error.line(
          """
          quakes: the Reference store \(reference.url.path) has no coastline; rebuild it with a network, or \
          give build.sh a shapefile of countries with --land
          """)
      }
    } catch {
      StandardStream.error.line("quakes: \(Failure.reference(reference, error: error).message)")
    }
  }

  /// Reads them on a context's queue; its container has the Reference store.
  ///
  /// - Parameters:
  ///   - visible: what the map shows.
  ///   - height: of the map, in pixels or dots. Details that are smaller than these are not read.
  /// - Throws: what `fetch` throws.
  init(in context: NSManagedObjectContext, visible: MapRegion, height: Int) throws {
    let plates = try context.fetch(PlateBoundary.fetchRequest()).map(Self.positions)
    let stores = context.persistentStoreCoordinator?.persistentStores ?? []
    guard stores.contains(where: \.hasLand) else {
      self.init(coasts: try context.fetch(Coastline.fetchRequest()).map(Self.positions), plates: plates)
      return
    }
    let isDetailed = Self.needsDetails(visible, height: height)
    let land = try visible.box.map { try LandOutline.all(in: $0, isDetailed: isDetailed, in: context) } ?? []
    self.init(land: land.map(Self.positions), plates: plates)
  }

  static func needsDetails(_ visible: MapRegion, height: Int) -> Bool {
    visible.height / Double(max(1, height)) < LandOutline.coarseTolerance
  }

  private static func positions(of line: some GeoLine) -> [MapPosition] {
    line.positions.map { MapPosition(latitude: Double($0.latitude), longitude: Double($0.longitude)) }
  }
}

extension MapPoint {
  init(_ quake: QuakeFacts, at now: Date, style: DisplayStyle) {
    self.init(
      identifier: quake.identifier, latitude: quake.latitude, longitude: quake.longitude, magnitude: quake.magnitude,
      depth: quake.depth, age: now.timeIntervalSince(quake.time),
      title: "M \(quake.magnitudeText) \(quake.placeText), \(style.depth(of: quake)), \(style.time(quake.time))")
  }
}

extension MapLabel {
  /// Degrees of longitude above which a map is crowded without names.
  private static let widestRegion = 60.0

  /// The largest cities of a region, the largest first.
  static func cities(in region: MapRegion, of store: OpenStore) -> [MapLabel] {
    guard region.width <= widestRegion, store.reference != nil, let box = region.box else { return [] }
    // Errors of the Reference store were reported when the coasts were read.
    let labels = try? store.context.performAndWait {
      try City.largest(in: box, limit: 60, in: store.context).map {
        MapLabel($0.name ?? "", latitude: $0.latitude, longitude: $0.longitude)
      }
    }
    return labels ?? []
  }
}
