import CoreData

/// Where the user is, for as long as one command runs: it is never written to a disk.
public class Position: NSManagedObject {
  /// Degrees, north positive.
  @NSManaged public var latitude: Double
  /// Degrees, east positive.
  @NSManaged public var longitude: Double
  @NSManaged public var name: String?
}
