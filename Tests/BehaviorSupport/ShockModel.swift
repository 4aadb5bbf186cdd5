import CoreData
import Foundation
import StrataTestSupport

/// The entities of shocks, their regions and their marks.
enum ShockModel {
  static let model: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    let (event, shock, region, mark) = (entity("Event"), entity("Shock"), entity("Place", of: "Region"), entity("Mark"))
    event.isAbstract = true
    event.subentities = [shock]
    event.properties = [attribute("name", .stringAttributeType), attribute("time", .dateAttributeType)]
    shock.properties = [
      attribute("code", .stringAttributeType), attribute("magnitude", .doubleAttributeType),
      attribute("depth", .doubleAttributeType), attribute("felt", .integer32AttributeType),
      attribute("stations", .integer16AttributeType), attribute("gap", .floatAttributeType),
      attribute("reviewed", .booleanAttributeType), attribute("wave", .binaryDataAttributeType),
      attribute("uuid", .UUIDAttributeType), attribute("page", .URIAttributeType),
      attribute("cost", .decimalAttributeType), attribute("rawKind", .integer16AttributeType),
      attribute("alert", .stringAttributeType),
    ]
    region.properties = [attribute("name", .stringAttributeType), attribute("people", .integer64AttributeType)]
    mark.properties = [attribute("name", .stringAttributeType), attribute("weight", .doubleAttributeType)]
    join(shock, "region", 1, region, "shocks", 0)
    join(shock, "marks", 0, mark, "shock", 1)
    join(region, "parent", 1, region, "children", 0)
    model.entities = [event, shock, region, mark]
    return model
  }()

  private static func entity(_ name: String, of type: String? = nil) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = "StrataBehaviorSupport.\(type ?? name)"
    return entity
  }

  private static func join(
    _ source: NSEntityDescription, _ name: String, _ most: Int, _ target: NSEntityDescription, _ inverse: String,
    _ inverseMost: Int
  ) {
    let there = relationship(name, most, target)
    let back = relationship(inverse, inverseMost, source)
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
    source.properties += [there]
    target.properties += [back]
  }

  private static func relationship(
    _ name: String, _ most: Int, _ target: NSEntityDescription
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.maxCount = most
    relationship.destinationEntity = target
    return relationship
  }
}
