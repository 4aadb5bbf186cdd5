import CoreData
import Foundation

/// A rule of the user: the earthquakes that fire an alert, and its action.
public class AlertRule: NSManagedObject {
  /// Unique.
  @NSManaged public var name: String?
  @NSManaged public var created: Date?
  /// nil for any, known or not.
  @NSManaged public var minimumMagnitude: NSNumber?
  /// Kilometers; nil for any, known or not.
  @NSManaged public var maximumDepth: NSNumber?
  /// The center, if it is one of the user's places; the alert moves with it.
  @NSManaged public var place: Place?
  /// The center's name, if it is not one of the user's places.
  @NSManaged public var near: String?
  /// Degrees, north positive; nil without a center, or if it is a place.
  @NSManaged public var latitude: NSNumber?
  /// Degrees, east positive.
  @NSManaged public var longitude: NSNumber?
  /// Kilometers around the center.
  @NSManaged public var within: NSNumber?
  /// The rise of the magnitude that fires the alert again for the same earthquake; nil for never.
  @NSManaged public var magnitudeStep: NSNumber?
  /// Whether to show a desktop notification.
  @NSManaged public var notifies: Bool
  /// The program to run and its arguments; nil for none.
  @NSManaged public var arguments: NSArray?
  @NSManaged public var firings: NSSet?
}

extension AlertRule {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<AlertRule> {
    NSFetchRequest<AlertRule>(entityName: "AlertRule")
  }

  /// All rules, by name.
  public static func all() -> NSFetchRequest<AlertRule> {
    let request: NSFetchRequest<AlertRule> = fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    request.relationshipKeyPathsForPrefetching = ["place"]
    request.returnsObjectsAsFaults = false
    return request
  }

  public static func named(_ name: String) -> NSFetchRequest<AlertRule> {
    let request = all()
    request.predicate = NSPredicate(format: "name == %@", argumentArray: [name])
    request.fetchLimit = 1
    return request
  }
}
