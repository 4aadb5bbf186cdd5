import CoreData
import Foundation

/// A summary feed's body that was imported: what the service listed at one time.
public class Snapshot: NSManagedObject {
  /// Such as `all_week`.
  @NSManaged public var feed: String?
  @NSManaged public var service: String?
  /// When the service generated the body.
  @NSManaged public var generated: Date?
  @NSManaged public var learnt: Date?
  /// The start of the feed's window of origin times, which ends at `generated`.
  @NSManaged public var since: Date?
  /// nil if the feed lists every magnitude, and earthquakes without one.
  @NSManaged public var minimumMagnitude: NSNumber?
  /// The IDs of the body's events as 32-bit hashes, sorted, in the machine's byte order.
  @NSManaged public var listed: Data?
  /// Whether every event of the body was read.
  @NSManaged public var isWhole: Bool
}

extension Snapshot {
  /// Those of one service that were generated in a time, oldest first.
  public static func all(
    of service: String, since start: Date = .distantPast, until end: Date = .distantFuture
  ) -> NSFetchRequest<Snapshot> {
    let request = NSFetchRequest<Snapshot>(entityName: "Snapshot")
    request.predicate = NSPredicate(
      format: "service == %@ AND generated >= %@ AND generated <= %@", argumentArray: [service, start, end])
    request.sortDescriptors = [NSSortDescriptor(key: "generated", ascending: true)]
    return request
  }
}
