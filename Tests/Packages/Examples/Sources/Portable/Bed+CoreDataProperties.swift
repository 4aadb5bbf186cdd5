import CoreData

extension Bed {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Bed> {
    return NSFetchRequest<Bed>(entityName: "Bed")
  }

  @NSManaged public var name: String?
  @NSManaged public var plants: NSSet?
}

// MARK: Generated accessors for plants
extension Bed {
  #if canImport(ObjectiveC)
  @objc(addPlantsObject:)
  #endif
  @NSManaged public func addToPlants(_ value: Plant)

  #if canImport(ObjectiveC)
  @objc(removePlantsObject:)
  #endif
  @NSManaged public func removeFromPlants(_ value: Plant)

  #if canImport(ObjectiveC)
  @objc(addPlants:)
  #endif
  @NSManaged public func addToPlants(_ values: NSSet)

  #if canImport(ObjectiveC)
  @objc(removePlants:)
  #endif
  @NSManaged public func removeFromPlants(_ values: NSSet)
}

extension Bed: Identifiable {}
