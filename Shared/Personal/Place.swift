import CoreData

/// A named place of the user, such as `home`, for distances and alerts.
public class Place: NSManagedObject {
  /// Unique.
  @NSManaged public var name: String?
  /// Degrees, north positive.
  @NSManaged public var latitude: Double
  /// Degrees, east positive.
  @NSManaged public var longitude: Double
  /// A place that an alert watches cannot be deleted.
  @NSManaged public var alertRules: NSSet?
}

extension Place {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Place> {
    NSFetchRequest<Place>(entityName: "Place")
  }

  /// All places, by name.
  public static func all() -> NSFetchRequest<Place> {
    let request: NSFetchRequest<Place> = fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    request.returnsObjectsAsFaults = false
    return request
  }

  public static func named(_ name: String) -> NSFetchRequest<Place> {
    let request = all(named: name)
    request.fetchLimit = 1
    return request
  }

  /// The places of a name: two if two processes simultaneously added it in different case, in a stable order.
  public static func all(named name: String) -> NSFetchRequest<Place> {
    let request = all()
    request.predicate = NSPredicate(format: "name ==[c] %@", argumentArray: [name])
    return request
  }

  /// The alerts that watch around it.
  public var alertNames: [String] {
    (alertRules?.allObjects ?? []).compactMap { ($0 as? AlertRule)?.name }.sorted()
  }
}
