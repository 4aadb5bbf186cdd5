import CoreData
import Foundation

/// A part of the boundary of two tectonic plates.
public class PlateBoundary: NSManagedObject, GeoLine {
  /// The two plates' codes, such as `AF-AN`; `/` and `\` instead of the hyphen show which plate subducts.
  @NSManaged public var name: String?
  @NSManaged public var points: Data?
}

extension PlateBoundary {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<PlateBoundary> {
    NSFetchRequest<PlateBoundary>(entityName: "PlateBoundary")
  }
}
