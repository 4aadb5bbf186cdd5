import CoreData
import Foundation

/// A part of the world's coast in a Reference store of an earlier version, closed if the last point is the first.
public class Coastline: NSManagedObject, GeoLine {
  @NSManaged public var points: Data?
}

extension Coastline {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Coastline> {
    NSFetchRequest<Coastline>(entityName: "Coastline")
  }
}
