import CoreData

/// An ID that an earthquake has or had besides its own.
///
/// One ID may be an alias of several earthquakes; the earthquake whose own ID it is comes before them.
public class Alias: NSManagedObject {
  @NSManaged public var identifier: String?
  @NSManaged public var quake: Quake?
}

extension Alias {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Alias> {
    NSFetchRequest<Alias>(entityName: "Alias")
  }

  /// The stored aliases with one of these IDs, and their earthquakes; ignores unsaved changes.
  public static func identified(by identifiers: [String]) -> NSFetchRequest<Alias> {
    let request: NSFetchRequest<Alias> = fetchRequest()
    request.predicate = NSPredicate(format: "identifier IN %@", argumentArray: [identifiers])
    request.includesPendingChanges = false
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = ["quake"]
    return request
  }
}
