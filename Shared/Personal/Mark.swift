import CoreData
import Foundation

/// The user's marks and note for one earthquake.
public class Mark: NSManagedObject {
  /// The earthquake's ID when it was first marked; it leads to the earthquake even if that has another ID today, as
  /// `Quake.find(_:in:)` does.
  @NSManaged public var identifier: String?
  @NSManaged public var isStarred: Bool
  /// The time of the user's acknowledgment; nil without one.
  @NSManaged public var acknowledged: Date?
  @NSManaged public var note: String?
}

extension Mark {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Mark> {
    NSFetchRequest<Mark>(entityName: "Mark")
  }
}
