import CoreData

/// An observation of a species by the user.
public class Sighting: NSManagedObject {
  @NSManaged public var date: Date?
  @NSManaged public private(set) var speciesCode: String?
  @NSManaged private var primitiveSpecies: Species?

  public class func fetchRequest() -> NSFetchRequest<Sighting> { NSFetchRequest(entityName: "Sighting") }

  /// The species in the guide.
  ///
  /// A relationship between objects in different stores cannot be stored. This one is transient, and the species' code is
  /// stored instead. An object ID would not work, because it changes with the next edition of the guide.
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
