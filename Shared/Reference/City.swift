import CoreData

/// A populated place of the Reference store, as GeoNames has it.
public class City: NSManagedObject {
  /// Such as 785842: https://www.geonames.org/785842
  @NSManaged public var geonamesID: Int32
  @NSManaged public var name: String?
  @NSManaged public var country: String?
  /// The largest part of the country that it is in, such as a state.
  @NSManaged public var admin1: String?
  /// Degrees, north positive.
  @NSManaged public var latitude: Double
  /// Degrees, east positive.
  @NSManaged public var longitude: Double
  /// 0 if unknown.
  @NSManaged public var population: Int32
}

extension City {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<City> {
    NSFetchRequest<City>(entityName: "City")
  }
}
