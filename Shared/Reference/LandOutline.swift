import CoreData
import Foundation

/// The outline of land, or of a sea within it: closed, with the land on the right-hand side of its direction.
///
/// The world is stored twice: with all details, and with those that a map of the world shows.
public class LandOutline: NSManagedObject, GeoLine {
  @NSManaged public var isDetailed: Bool
  /// The box that it fills: degrees, north and east positive.
  @NSManaged public var west: Float
  @NSManaged public var south: Float
  @NSManaged public var east: Float
  @NSManaged public var north: Float
  @NSManaged public var points: Data?
}

extension LandOutline {
  /// How far the outlines without details are from those with them at most: degrees.
  public static let coarseTolerance = 0.1

  @nonobjc public class func fetchRequest() -> NSFetchRequest<LandOutline> {
    NSFetchRequest<LandOutline>(entityName: "LandOutline")
  }

  /// The outlines that reach into a box.
  ///
  /// - Throws: what `fetch` throws.
  public static func all(
    in box: GeoBox, isDetailed: Bool, in context: NSManagedObjectContext
  ) throws -> [LandOutline] {
    let request = LandOutline.fetchRequest()
    // Outlines end at the date line, but the box may cross it.
    let columns = box.west <= box.east ? "east >= %@ AND west <= %@" : "(east >= %@ OR west <= %@)"
    request.predicate = NSPredicate(
      format: "isDetailed == %@ AND north >= %@ AND south <= %@ AND \(columns)",
      argumentArray: [isDetailed, box.south, box.north, box.west, box.east])
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)
  }

  /// Sets the points and the box.
  public func fill(_ positions: [(latitude: Float, longitude: Float)]) {
    let (latitudes, longitudes) = (positions.map(\.latitude), positions.map(\.longitude))
    (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
    (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
    self.positions = positions
  }
}
