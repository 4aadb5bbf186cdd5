import StrataManagedModel
import StrataTestSupport

/// Adds the inverse of a relationship of `source`.
func addInverse(_ name: String, max: Int, of other: NSRelationshipDescription, from source: NSEntityDescription) {
  let inverse = relationship(name, to: source, max: max)
  join(inverse, other)
  if let destination = other.destinationEntity { destination.properties = destination.ownProperties + [inverse] }
}

/// The version hash of the first entity in hexadecimal. The others are the entities that it refers to: descriptions do
/// not retain each other, but their model does.
func versionHash(_ entities: NSEntityDescription...) -> String {
  let model = makeModel(entities)
  return withExtendedLifetime(model) { hexadecimal(entities[0].versionHash) }
}
