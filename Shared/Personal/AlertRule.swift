import CoreData
import Foundation

/// Of which earthquakes the user wants to be told, and how.
public class AlertRule: NSManagedObject {
  /// Unique.
  @NSManaged public var name: String?
  @NSManaged public var created: Date?
  /// nil for any, known or not.
  @NSManaged public var minimumMagnitude: NSNumber?
  /// Kilometres; nil for any, known or not.
  @NSManaged public var maximumDepth: NSNumber?
  /// The centre, if it is a place that the user keeps: it moves with the place.
  @NSManaged public var place: Place?
  /// The centre's name, if it is none of the user's places.
  @NSManaged public var near: String?
  /// Degrees, north positive; nil if there is no centre, or it is a place.
  @NSManaged public var latitude: NSNumber?
  /// Degrees, east positive.
  @NSManaged public var longitude: NSNumber?
  /// Kilometres around the centre.
  @NSManaged public var within: NSNumber?
  /// By how much the magnitude must rise for the same earthquake to be told again; nil for never.
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
