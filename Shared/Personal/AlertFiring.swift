import CoreData
import Foundation

/// The record of a fired alert: at most one for a rule and an earthquake.
public class AlertFiring: NSManagedObject {
  @NSManaged public var ruleName: String?
  /// The earthquake's ID at the first firing.
  @NSManaged public var quakeIdentifier: String?
  @NSManaged public var fired: Date?
  /// The magnitude at the last firing.
  @NSManaged public var magnitude: NSNumber?
  /// `ok`, or the reason why the alert may have failed; nil while it runs.
  @NSManaged public var outcome: String?
  @NSManaged public var rule: AlertRule?
}

extension AlertFiring {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<AlertFiring> {
    NSFetchRequest<AlertFiring>(entityName: "AlertFiring")
  }

  /// The newest first.
  ///
  /// - Parameter limit: 0 for no limit, as in `fetchLimit`.
  public static func newest(limit: Int) -> NSFetchRequest<AlertFiring> {
    let request: NSFetchRequest<AlertFiring> = fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "fired", ascending: false)]
    request.fetchLimit = limit
    request.returnsObjectsAsFaults = false
    return request
  }
}
