import CoreData
import Foundation

extension NSManagedObjectModel {
  /// Makes the Core Data model of model classes, with which Core Data opens their store.
  ///
  /// - Parameters:
  ///   - entityTypes: the classes; those that their relationships lead to are added.
  ///   - managedObjectModel: a model to take over entities of other names from.
  /// - Returns: nil if the two have entities of the same name.
  public static func makeManagedObjectModel(
    for entityTypes: any PersistentModel.Type..., mergedWith managedObjectModel: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? { makeManagedObjectModel(for: Schema(entityTypes), mergedWith: managedObjectModel) }

  /// Makes the Core Data model of model classes, with which Core Data opens their store.
  ///
  /// - Parameters:
  ///   - entityTypes: the classes; those that their relationships lead to are added.
  ///   - managedObjectModel: a model to take over entities of other names from.
  /// - Returns: nil if the two have entities of the same name.
  public static func makeManagedObjectModel(
    for entityTypes: [any PersistentModel.Type], mergedWith managedObjectModel: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? { makeManagedObjectModel(for: Schema(entityTypes), mergedWith: managedObjectModel) }

  /// Makes the Core Data model of a schema, with which Core Data opens its store.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - managedObjectModel: a model to take over entities of other names from.
  /// - Returns: nil if the two have entities of the same name.
  public static func makeManagedObjectModel(
    for schema: Schema, mergedWith managedObjectModel: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    let model = SchemaModel(schema).model
    guard let managedObjectModel else { return model }
    return NSManagedObjectModel(byMerging: [model, managedObjectModel])
  }
}

/// The Core Data model of a schema.
struct SchemaModel {
  let model = NSManagedObjectModel()

  init(_ schema: Schema) {
    let entities = Dictionary(
      uniqueKeysWithValues: schema.entities.map { entity in (entity.name, NSEntityDescription(of: entity)) })
    for entity in schema.entities {
      guard let description = entities[entity.name] else { continue }
      let relationships = entity.relationships.map { relationship in
        NSRelationshipDescription(of: relationship, to: entities[relationship.destination])
      }
      description.properties = entity.attributes.map(NSAttributeDescription.init(of:)) + relationships
    }
    for (name, entity) in entities {
      let subentities = schema.entities.filter { $0.superentityName == name }
      entity.subentities = subentities.compactMap { entities[$0.name] }
    }
    for entity in schema.entities {
      let own = entities[entity.name]?.relationshipsByName ?? [:]
      for relationship in entity.relationships {
        guard let inverse = relationship.inverseName else { continue }
        own[relationship.name]?.inverseRelationship =
          entities[relationship.destination]?.relationshipsByName[inverse]
      }
    }
    for entity in schema.entities {
      entities[entity.name]?.uniquenessConstraints = entity.uniquenessConstraints
      entities[entity.name]?.addIndexes(entity.indices)
    }
    model.entities = entities.values.sorted { ($0.name ?? "") < ($1.name ?? "") }
    model.versionIdentifiers = ["\(schema.version)"]
  }
}

extension NSEntityDescription {
  fileprivate convenience init(of entity: Schema.Entity) {
    self.init()
    (name, managedObjectClassName) = (entity.name, entity.name)
  }

  fileprivate func addIndexes(_ lists: [[String]]) {
    indexes = lists.map { names in
      NSFetchIndexDescription(
        name: "by" + names.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(),
        elements: names.compactMap { propertiesByName[$0] }.map {
          NSFetchIndexElementDescription(property: $0, collationType: .binary)
        })
    }
  }
}

extension NSPropertyDescription {
  fileprivate func take(_ property: some SchemaProperty, hashModifier: String?) {
    (name, isOptional, isTransient) = (property.name, property.isOptional, property.isTransient)
    renamingIdentifier = property.originalName == property.name ? nil : property.originalName
    versionHashModifier = hashModifier
  }
}

extension NSAttributeDescription {
  fileprivate convenience init(of attribute: Schema.Attribute) {
    self.init()
    take(attribute, hashModifier: attribute.hashModifier)
    attributeType = attribute.storedType
    valueTransformerName = attribute.options.compactMap(\.transformerName).first
    defaultValue = attribute.storedDefault
    allowsExternalBinaryDataStorage = attribute.options.contains(.externalStorage)
    preservesValueInHistoryOnDeletion = attribute.options.contains(.preserveValueOnDeletion)
  }
}

extension NSRelationshipDescription {
  fileprivate convenience init(of relationship: Schema.Relationship, to destination: NSEntityDescription?) {
    self.init()
    take(relationship, hashModifier: relationship.hashModifier)
    destinationEntity = destination
    deleteRule = NSDeleteRule(relationship.deleteRule)
    minCount = relationship.minimumModelCount ?? 0
    maxCount = relationship.isToOneRelationship ? 1 : relationship.maximumModelCount ?? 0
  }
}

extension NSDeleteRule {
  fileprivate init(_ rule: Schema.Relationship.DeleteRule) {
    self =
      switch rule {
      case .noAction: .noActionDeleteRule
      case .nullify: .nullifyDeleteRule
      case .cascade: .cascadeDeleteRule
      case .deny: .denyDeleteRule
      }
  }
}
