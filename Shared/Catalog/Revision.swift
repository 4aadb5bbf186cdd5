import CoreData
import Foundation

/// An earlier state of an earthquake, kept as its differences from the next one.
///
/// Revisions of one earthquake are ordered by `said`, then by `learnt`.
public class Revision: NSManagedObject {
  /// A JSON object of the fields that the next state changed, with their values in this one.
  @NSManaged public var changes: String?
  /// When the service first said so.
  @NSManaged public var said: Date?
  /// When it was imported.
  @NSManaged public var learnt: Date?
  @NSManaged public var quake: Quake?
}
