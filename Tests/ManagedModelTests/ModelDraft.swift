import StrataManagedModel
import StrataTestSupport

/// Concise model construction.
func makeEntity(
  _ name: String, abstract: Bool = false, unique: [[String]] = [], modifier: String? = nil,
  subentities: [NSEntityDescription] = [], _ properties: [NSPropertyDescription] = []
) -> NSEntityDescription {
  let entity = NSEntityDescription()
  entity.name = name
  entity.isAbstract = abstract
  entity.uniquenessConstraints = unique
  entity.versionHashModifier = modifier
  entity.properties = properties
  entity.subentities = subentities
  return entity
}

func attribute(
  _ name: String, _ type: NSAttributeDescription.AttributeType, optional: Bool = true, transient: Bool = false,
  modifier: String? = nil, external: Bool = false
) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  attribute.name = name
  attribute.type = type
  attribute.isOptional = optional
  attribute.isTransient = transient
  attribute.versionHashModifier = modifier
  attribute.allowsExternalBinaryDataStorage = external
  return attribute
}

func relationship(
  _ name: String, to destination: NSEntityDescription, max: Int, optional: Bool = true, ordered: Bool = false
) -> NSRelationshipDescription {
  let relationship = NSRelationshipDescription()
  relationship.name = name
  relationship.destinationEntity = destination
  relationship.maxCount = max
  relationship.isOptional = optional
  relationship.isOrdered = ordered
  return relationship
}

/// Adds the inverse of a relationship of `source`.
func addInverse(_ name: String, max: Int, of relationship: NSRelationshipDescription, from source: NSEntityDescription)
{
  let inverse = NSRelationshipDescription()
  inverse.name = name
  inverse.maxCount = max
  inverse.destinationEntity = source
  inverse.inverseRelationship = relationship
  relationship.inverseRelationship = inverse
  if let destination = relationship.destinationEntity {
    destination.properties = destination.ownProperties + [inverse]
  }
}

func makeModel(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
  let model = NSManagedObjectModel()
  model.entities = entities
  return model
}

/// The version hash of the first entity in hexadecimal. The others are those it refers to: descriptions do not retain
/// each other, but their model does.
func versionHash(_ entities: NSEntityDescription...) -> String {
  let model = makeModel(entities)
  return withExtendedLifetime(model) { hexadecimal(entities[0].versionHash) }
}
