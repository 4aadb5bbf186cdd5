import CoreData

#if canImport(ObjectiveC)
@objc(Plant)
#endif
public class Plant: NSManagedObject {
  @NSManaged public var height: Double
  @NSManaged public var name: String?
  @NSManaged public var bed: Bed?

  @nonobjc public class func fetchRequest() -> NSFetchRequest<Plant> {
    return NSFetchRequest<Plant>(entityName: "Plant")
  }

  /// A computed property that key-value coding and observers find.
  #if canImport(ObjectiveC)
  @objc
  #endif
  public var initial: String { name?.first.map { $0.uppercased() } ?? "" }

  // Only Objective-C finds methods named keyPathsForValuesAffectingInitial() and validateName(_:). These two work on both
  // platforms.

  public override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    let keyPaths = super.keyPathsForValuesAffectingValue(forKey: key)
    return key == "initial" ? keyPaths.union(["name"]) : keyPaths
  }

  public override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    try super.validateValue(value, forKey: key)
    if key == "name", let name = value.pointee as? String, name.isEmpty {
      throw CocoaError(.validationStringTooShort, userInfo: [NSValidationKeyErrorKey: key])
    }
  }
}
