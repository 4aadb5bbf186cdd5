import CoreData
import Foundation
import StrataManagedModel
import StrataModelSource

extension ModelDocument {
  /// Creates a document for the classes of a model without a source. Such a model does not say which numbers are scalars
  /// and how classes are generated.
  /// - Parameter file: the model's place, for messages.
  init(of model: NSManagedObjectModel, file: String) {
    let entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    self.init(file: file, entities: entities.map { Entity($0) })
  }
}

extension ModelDocument.Entity {
  fileprivate init(_ entity: NSEntityDescription) {
    self.init(
      name: entity.name ?? "", className: entity.managedObjectClassName, parentName: entity.superentity?.name,
      codeGeneration: .manual)
    for property in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
      switch property {
      case let attribute as NSAttributeDescription:
        let className = attribute.attributeValueClassName
        attributes.append(
          ModelDocument.Attribute(
            name: attribute.name, type: attribute.attributeType, usesScalarValueType: false,
            customClassName: className == attribute.attributeType.valueClassName ? nil : className))
      case let relationship as NSRelationshipDescription:
        relationships.append(
          ModelDocument.Relationship(
            name: relationship.name, isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
            destinationName: relationship.destinationEntity?.name ?? ""))
      case let fetched as NSFetchedPropertyDescription:
        fetchedProperties.append(
          ModelDocument.FetchedProperty(name: fetched.name, entityName: fetched.template?.entityName ?? ""))
      default: break
      }
    }
  }
}
