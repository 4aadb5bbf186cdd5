import CoreData
import Foundation

/// A feed's fetch log: what was fetched when, and the result.
public class Feed: NSManagedObject {
  @NSManaged public var name: String?
  @NSManaged public var url: String?
  /// When the service generated the last body read.
  @NSManaged public var generated: Date?
  @NSManaged public var lastFetched: Date?
  @NSManaged public var lastSucceeded: Date?
  /// `ok`, or the error message of the last attempt.
  @NSManaged public var lastStatus: String?
  /// The first of the failures since the last success; nil after a success.
  @NSManaged public var failingSince: Date?
  @NSManaged public var newCount: Int32
  @NSManaged public var changedCount: Int32
  @NSManaged public var unchangedCount: Int32
  @NSManaged public var badCount: Int32
}

extension Feed {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Feed> {
    NSFetchRequest<Feed>(entityName: "Feed")
  }

  public static func named(_ name: String) -> NSFetchRequest<Feed> {
    let request: NSFetchRequest<Feed> = fetchRequest()
    request.predicate = NSPredicate(format: "name == %@", argumentArray: [name])
    request.fetchLimit = 1
    return request
  }
}
