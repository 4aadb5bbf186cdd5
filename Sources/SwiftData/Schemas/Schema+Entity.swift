extension Schema {
  /// A model as an entity of a store.
  public final class Entity: Hashable, CustomDebugStringConvertible, @unchecked Sendable {
    // Sendable: nothing changes after the schema is made.

    /// The entity's name: that of the class, without its module.
    public let name: String
    /// The attributes.
    public let attributes: Set<Attribute>
    /// The relationships.
    public let relationships: Set<Relationship>
    /// The name of the superclass's entity; nil without one.
    public let superentityName: String?
    /// Lists of names of properties: no two objects have the same values for all properties of a list.
    public let uniquenessConstraints: [[String]]
    /// Lists of names of properties that have an index.
    public let indices: [[String]]

    /// The attributes by name.
    public var attributesByName: [String: Attribute] {
      Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0) })
    }

    /// The relationships by name.
    public var relationshipsByName: [String: Relationship] {
      Dictionary(uniqueKeysWithValues: relationships.map { ($0.name, $0) })
    }

    /// The attributes and relationships, by name.
    public var properties: [any SchemaProperty] {
      let all: [any SchemaProperty] = Array(attributes) + Array(relationships)
      return all.sorted { $0.name < $1.name }
    }

    /// The class of the entity's objects.
    let model: any PersistentModel.Type

    init(_ table: ModelTable, inverses: [String: String]) {
      model = table.model
      name = Schema.name(of: table.model)
      superentityName = table.superclass.map { Schema.name(of: $0.model) }
      attributes = Set(table.properties.compactMap { $0 as? any StoredAttribute }.map { $0.schemaAttribute })
      relationships = Set(table.relationships.map { $0.schemaRelationship(inverse: inverses[$0.name]) })
      (uniquenessConstraints, indices) = (table.uniquenessConstraints, table.indexes)
    }

    public static func == (lhs: Entity, rhs: Entity) -> Bool {
      lhs.name == rhs.name && lhs.superentityName == rhs.superentityName && lhs.attributes == rhs.attributes
        && lhs.relationships == rhs.relationships
        && lhs.uniquenessConstraints == rhs.uniquenessConstraints && lhs.indices == rhs.indices
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name and the names of the properties.
    public var debugDescription: String { "Schema.Entity(\(name): \(properties.map(\.name)))" }
  }

  /// The name of a class's entity.
  static func name(of model: any PersistentModel.Type) -> String { "\(model)" }
}

extension StoredAttribute {
  /// The attribute, with the options of `@Attribute`.
  fileprivate var schemaAttribute: Schema.Attribute {
    let options = metadata.metadata as? Schema.Attribute
    let attribute = Schema.Attribute(
      name: name, originalName: options.flatMap { $0.originalName.isEmpty ? nil : $0.originalName },
      options: options?.options ?? [], valueType: type(of: keyPath).valueType, defaultValue: metadata.defaultValue,
      hashModifier: options?.hashModifier)
    (attribute.isOptional, attribute.storedType, attribute.storedDefault) = (isOptional, attributeType, defaultValue)
    return attribute
  }
}

extension ModelRelationship {
  /// The relationship, with the options of `@Relationship`.
  fileprivate func schemaRelationship(inverse: String?) -> Schema.Relationship {
    if inverse == nil { mayDangle.store(true, ordering: .relaxed) }
    let given = options
    let relationship = Schema.Relationship(
      deleteRule: given?.deleteRule ?? .nullify, minimumModelCount: given?.minimumModelCount ?? 0,
      maximumModelCount: isToMany ? given?.maximumModelCount ?? 0 : 1, inverse: given?.inverseKeyPath,
      hashModifier: given?.hashModifier)
    (relationship.name, relationship.keypath, relationship.inverseName) = (name, keyPath, inverse)
    relationship.originalName = given.flatMap { $0.originalName.isEmpty ? nil : $0.originalName } ?? name
    relationship.options = given?.options ?? []
    relationship.valueType = type(of: keyPath).valueType
    relationship.destination = Schema.name(of: destination)
    return relationship
  }
}
