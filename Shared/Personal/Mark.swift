import CoreData
import Foundation

/// What the user noted of one earthquake.
public class Mark: NSManagedObject {
  /// The earthquake's id when it was first marked; it leads to the earthquake even if that has another id today, as
  /// `Quake.find(_:in:)` does.
  @NSManaged public var identifier: String?
  @NSManaged public var isStarred: Bool
  /// When the user said to have seen it; nil if not.
  @NSManaged public var acknowledged: Date?
  @NSManaged public var note: String?
}

extension Mark {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Mark> {
    NSFetchRequest<Mark>(entityName: "Mark")
  }
}
