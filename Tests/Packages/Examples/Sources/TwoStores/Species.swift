import CoreData

/// A species in the guide.
public class Species: NSManagedObject {
  @NSManaged public var code: String?
  @NSManaged public var name: String?
  /// The transient inverse of a sighting's species: the sightings that were assigned to this species since it was fetched.
  @NSManaged public var newSightings: Set<Sighting>
  /// All sightings. A fetched property: fetched from the other store when it is first read, and again after `refresh(_:mergeChanges:)`.
  @NSManaged public var sightings: [Sighting]

  public class func fetchRequest() -> NSFetchRequest<Species> { NSFetchRequest(entityName: "Species") }
}
