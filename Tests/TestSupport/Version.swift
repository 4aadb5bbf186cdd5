import StrataManagedModel

/// Models of several versions, written down in few words.
public enum Version {
  public static func attribute(
    _ name: String, _ type: NSAttributeType = .stringAttributeType, was: String? = nil, optional: Bool = true,
    default value: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = (name, type)
    attribute.isOptional = optional
    attribute.defaultValue = value
    if let was { attribute.renamingIdentifier = was }
    return attribute
  }

  public static func link(
    _ name: String, to entity: NSEntityDescription, most: Int = 1, ordered: Bool = false, was: String? = nil
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, entity)
    relationship.maxCount = most
    relationship.isOrdered = ordered
    if let was { relationship.renamingIdentifier = was }
    return relationship
  }

  public static func entity(
    _ name: String, was: String? = nil, _ properties: [NSPropertyDescription] = [], children: [NSEntityDescription] = []
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    entity.subentities = children
    if let was { entity.renamingIdentifier = was }
    return entity
  }

  public static func join(_ first: NSRelationshipDescription, _ second: NSRelationshipDescription) {
    (first.inverseRelationship, second.inverseRelationship) = (second, first)
  }

  public static func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  /// A later release's version that is like an earlier one: a store is not migrated back to a version that it has left.
  public static func later(_ model: NSManagedObjectModel, _ release: Int = 0) -> NSManagedObjectModel {
    model.entities.first?.versionHashModifier = "later \(release)"
    return model
  }
}
