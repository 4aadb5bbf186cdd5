import CoreData

/// A species in the guide.
public class Species: NSManagedObject {
  @NSManaged public var code: String?
  @NSManaged public var name: String?
  /// The inverse of a sighting's species, transient as well: the sightings that were given this species since it was
  /// fetched.
  @NSManaged public var newSightings: Set<Sighting>
  /// All sightings. A fetched property: fetched from the other store when it is first read, and again after `refresh(_:mergeChanges:)`.
  @NSManaged public var sightings: [Sighting]

  public class func fetchRequest() -> NSFetchRequest<Species> { NSFetchRequest(entityName: "Species") }
}
