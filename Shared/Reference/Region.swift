import CoreData
import Foundation

/// A Flinn–Engdahl region, as seismologists have divided the Earth since 1965 (revision of 1995:
/// https://doi.org/10.1016/0031-9201(96)03141-X).
public class Region: NSManagedObject {
  /// From 1 on.
  @NSManaged public var number: Int16
  /// Such as `Near East Coast of Honshu, Japan`.
  @NSManaged public var name: String?
  /// As `DegreeCells.data`.
  @NSManaged public var cells: Data?
}

extension Region {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Region> {
    NSFetchRequest<Region>(entityName: "Region")
  }
}
