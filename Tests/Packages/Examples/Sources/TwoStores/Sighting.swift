import CoreData

/// What the user saw, and when.
public class Sighting: NSManagedObject {
  @NSManaged public var date: Date?
  @NSManaged public private(set) var speciesCode: String?
  @NSManaged private var primitiveSpecies: Species?

  public class func fetchRequest() -> NSFetchRequest<Sighting> { NSFetchRequest(entityName: "Sighting") }

  /// The species in the guide.
  ///
  /// A relationship cannot be stored if its objects are in different stores. This one is transient: what is stored is the
  /// species' code. An ID would not do, because the species of the next edition of the guide have others.
  public var species: Species? {
    get {
      willAccessValue(forKey: "species")
      defer { didAccessValue(forKey: "species") }
      if primitiveSpecies == nil { primitiveSpecies = speciesInGuide() }
      return primitiveSpecies
    }
    set {
      willChangeValue(forKey: "species")
      primitiveSpecies = newValue
      didChangeValue(forKey: "species")
      speciesCode = newValue?.code
    }
  }

  private func speciesInGuide() -> Species? {
    guard let speciesCode else { return nil }
    let request = Species.fetchRequest()
    request.predicate = NSPredicate(format: "code == %@", speciesCode)
    return try? managedObjectContext?.fetch(request).first
  }
}
