import CoreData
import Foundation

/// The model of the store: what an earthquake is, and what was fetched when.
public enum QuakesModel {
  /// One model for the process: Core Data tells entities of two models apart even if they are equal.
  public static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [quake(), feed()]
    return model
  }

  private static func quake() -> NSEntityDescription {
    let entity = entity("Quake", Quake.self)
    let strings = [
      "magnitudeType", "place", "url", "detail", "alert", "status", "network", "code", "ids", "sources", "types",
      "type",
      "title",
    ]
    let identifier = attribute("identifier", .stringAttributeType, isOptional: false)
    let magnitude = attribute("magnitude", .doubleAttributeType)
    let time = attribute("time", .dateAttributeType, isOptional: false)
    entity.properties =
      [identifier, magnitude, time, attribute("updated", .dateAttributeType)]
      + ["longitude", "latitude"].map { attribute($0, .doubleAttributeType, isOptional: false, defaultValue: 0.0) }
      + ["depth", "cdi", "mmi", "dmin", "rms", "gap"].map { attribute($0, .doubleAttributeType) }
      + ["felt", "tsunami", "significance", "nst"].map { attribute($0, .integer32AttributeType) }
      + strings.map { attribute($0, .stringAttributeType) }
    entity.uniquenessConstraints = [["identifier"]]
    entity.indexes = [index("byTime", time, isAscending: false), index("byMagnitude", magnitude, isAscending: false)]
    return entity
  }

  private static func feed() -> NSEntityDescription {
    let entity = entity("Feed", Feed.self)
    let counts = ["newCount", "changedCount", "unchangedCount", "badCount"]
    entity.properties =
      [attribute("name", .stringAttributeType, isOptional: false)]
      + ["url", "lastStatus"].map { attribute($0, .stringAttributeType) }
      + ["generated", "lastFetched", "lastSucceeded"].map { attribute($0, .dateAttributeType) }
      + counts.map { attribute($0, .integer32AttributeType, isOptional: false, defaultValue: 0) }
    entity.uniquenessConstraints = [["name"]]
    return entity
  }

  private static func entity(_ name: String, _ objectClass: NSManagedObject.Type) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = String(reflecting: objectClass)
    return entity
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType, isOptional: Bool = true, defaultValue: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = isOptional
    attribute.defaultValue = defaultValue
    return attribute
  }

  private static func index(
    _ name: String, _ attribute: NSAttributeDescription, isAscending: Bool
  ) -> NSFetchIndexDescription {
    let element = NSFetchIndexElementDescription(property: attribute, collationType: .binary)
    element.isAscending = isAscending
    return NSFetchIndexDescription(name: name, elements: [element])
  }
}
