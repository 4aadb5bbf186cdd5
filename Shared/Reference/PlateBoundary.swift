import CoreData
import Foundation

/// A part of the boundary of two tectonic plates: a line from point to point.
public class PlateBoundary: NSManagedObject {
  /// The two plates' names or codes, such as `AF-AN`.
  @NSManaged public var name: String?
  /// As `Coastline.points`.
  @NSManaged public var points: Data?
}

extension PlateBoundary {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<PlateBoundary> {
    NSFetchRequest<PlateBoundary>(entityName: "PlateBoundary")
  }
}
