import CoreData
import Foundation

/// An earlier state of an earthquake, kept as its differences from the next one.
///
/// Revisions of one earthquake are ordered by `said`, then by `learnt`.
public class Revision: NSManagedObject {
  /// A JSON object of the fields that the next state changed, with their values in this one.
  @NSManaged public var changes: String?
  /// The time of the service's first report.
  @NSManaged public var said: Date?
  /// When it was imported.
  @NSManaged public var learnt: Date?
  @NSManaged public var quake: Quake?
}
