import CoreData

/// Quakes with their regions and tags.
enum Catalog {
  static let model: NSManagedObjectModel = {
    // The build plugin registers classes like this. No class overrides validateValue(_:forKey:).
    _registerClasses { [Quake.self, Region.self, Tag.self].map { _RegisteredClass(String(reflecting: $0), $0) } }
    let quake = entity("Quake", Quake.self)
    let region = entity("Region", Region.self)
    let tag = entity("Tag", Tag.self)
    let (quakeRegion, regionQuakes) = relationship("region", from: quake, to: region, "quakes", isToOne: true)
    let (quakeTags, tagQuakes) = relationship("tags", from: quake, to: tag, "quakes", isToOne: false)
    regionQuakes.deleteRule = .cascadeDeleteRule

    let ident = attribute("ident", .stringAttributeType)
    let time = attribute("time", .dateAttributeType)
    let magnitude = attribute("magnitude", .doubleAttributeType)
    quake.properties = [
      ident, time, magnitude, attribute("updated", .dateAttributeType), attribute("latitude", .doubleAttributeType),
      attribute("longitude", .doubleAttributeType), attribute("depth", .doubleAttributeType),
      attribute("place", .stringAttributeType), attribute("net", .stringAttributeType),
      attribute("status", .stringAttributeType), attribute("type", .stringAttributeType),
      attribute("felt", .integer32AttributeType), attribute("significance", .integer32AttributeType), quakeRegion,
      quakeTags,
    ]
    quake.uniquenessConstraints = [["ident"]]
    quake.indexes = [time, magnitude].map { property in
      NSFetchIndexDescription(
        name: "by\(property.name.capitalized)",
        elements: [NSFetchIndexElementDescription(property: property, collationType: .binary)])
    }
    region.properties = [
      attribute("number", .integer32AttributeType), attribute("name", .stringAttributeType), regionQuakes,
    ]
    tag.properties = [
      attribute("number", .integer32AttributeType), attribute("name", .stringAttributeType), tagQuakes,
    ]
    let model = NSManagedObjectModel()
    model.entities = [quake, region, tag]
    return model
  }()

  private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = NSStringFromClass(type)
    return entity
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  private static func relationship(
    _ name: String, from owner: NSEntityDescription, to other: NSEntityDescription, _ inverse: String, isToOne: Bool
  ) -> (NSRelationshipDescription, NSRelationshipDescription) {
    let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (there.name, there.destinationEntity, there.maxCount) = (name, other, isToOne ? 1 : 0)
    (back.name, back.destinationEntity, back.maxCount) = (inverse, owner, 0)
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
    (there.isOptional, back.isOptional) = (true, true)
    (there.deleteRule, back.deleteRule) = (.nullifyDeleteRule, .nullifyDeleteRule)
    return (there, back)
  }

  /// Opens a store, and creates it if it does not exist.
  static func open(_ description: NSPersistentStoreDescription, history: Bool) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Catalog", managedObjectModel: model)
    if history { description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }
}
