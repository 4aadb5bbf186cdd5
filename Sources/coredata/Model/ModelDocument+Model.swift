import CoreData
import Foundation
import StrataManagedModel
import StrataModelSource

extension ModelDocument {
  /// Creates a document for the classes of a model without a source. Such a model does not say which numbers are scalars
  /// and how classes are generated.
  /// - Parameters:
  ///   - file: the model's place, for messages.
  ///   - scalars: whether numbers are Swift numbers.
  init(of model: NSManagedObjectModel, file: String, scalars: Bool) {
    let entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    self.init(file: file, entities: entities.map { Entity($0, scalars: scalars) })
  }
}

extension ModelDocument.Entity {
  fileprivate init(_ entity: NSEntityDescription, scalars: Bool) {
    self.init(
      name: entity.name ?? "", className: entity.managedObjectClassName, parentName: entity.superentity?.name,
      codeGeneration: .class)
    for property in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
      switch property {
      case let attribute as NSAttributeDescription:
        let className = attribute.attributeValueClassName
        attributes.append(
          ModelDocument.Attribute(
            name: attribute.name, type: attribute.attributeType, usesScalarValueType: scalars && attribute.isScalar,
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

extension NSAttributeDescription {
  /// Whether the value can be a Swift number. A date stays a date.
  fileprivate var isScalar: Bool {
    switch attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: true
    case .doubleAttributeType, .floatAttributeType, .booleanAttributeType: true
    default: false
    }
  }
}
