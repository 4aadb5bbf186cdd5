/// Makes a class persistent.
///
/// Each stored property that is not `@Transient` becomes an attribute or a relationship of the class's entity. The class
/// conforms to `PersistentModel` and `Observable`, and needs an initializer of its own.
///
/// Declare persisted properties with `var`, each in a declaration of its own. In the Swift 6 language mode, the compiler
/// rejects `let`; in the Swift 5 language mode, it warns.
@attached(
  member, conformances: Observable, PersistentModel, Sendable,
  names: named(_$backingData), named(_$properties), named(_$keyPaths), named(_persistedKeyPaths),
  named(persistentBackingData), named(schemaMetadata), named(init),
  named(_$observationRegistrar), named(_SwiftDataNoType), named(access), named(withMutation)
)
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model() = #externalMacro(module: "StrataSwiftDataMacros", type: "PersistentModelMacro")

/// Gives an actor a context of its own, and an initializer for a container.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "StrataSwiftDataMacros", type: "PersistentModelActorMacro")

/// Sets the options of a model's attribute.
///
/// - Parameters:
///   - options: options such as `.unique` or `.externalStorage`.
///   - originalName: the attribute's name in an earlier version of the schema; nil if it has not changed.
///   - hashModifier: a text that changes the entity's version hash.
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "StrataSwiftDataMacros", type: "AttributePropertyMacro")

/// Sets the options of a model's relationship.
///
/// - Parameters:
///   - options: options such as `.unique`.
///   - deleteRule: what a deletion does to the destination.
///   - minimumModelCount: the least number of models that the relationship may have.
///   - maximumModelCount: the greatest number of models that the relationship may have; 0 or nil for no limit.
///   - originalName: the relationship's name in an earlier version of the schema; nil if it has not changed.
///   - inverse: the key path of the inverse; nil if SwiftData is to find it by its type.
///   - hashModifier: a text that changes the entity's version hash.
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
  hashModifier: String? = nil
) = #externalMacro(module: "StrataSwiftDataMacros", type: "RelationshipPropertyMacro")

/// Keeps a model's property out of the store.
@attached(peer)
public macro Transient() = #externalMacro(module: "StrataSwiftDataMacros", type: "TransientPropertyMacro")

/// Indexes properties of a model, each list in an index of its own.
@freestanding(declaration)
public macro Index<T>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "StrataSwiftDataMacros", type: "IndexMacro") where T: PersistentModel

/// Indexes properties of a model with indexes of the given types.
@freestanding(declaration)
public macro Index<T>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "StrataSwiftDataMacros", type: "IndexMacro") where T: PersistentModel

/// Declares that no two objects of a model have the same values for a list of properties.
@freestanding(declaration)
public macro Unique<T>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "StrataSwiftDataMacros", type: "UniqueConstraintsMacro") where T: PersistentModel

/// Added by `@Model`: keeps a property's value in the model's backing data.
///
/// - Parameter number: the property's number in the class.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _PersistedProperty(_ number: Int) =
  #externalMacro(module: "StrataSwiftDataMacros", type: "PersistedPropertyMacro")

/// Added by `@Model`: keeps a property's value in the model's backing data by its value transformer.
///
/// - Parameter number: the property's number in the class.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _TransformablePersistedProperty(_ number: Int) =
  #externalMacro(module: "StrataSwiftDataMacros", type: "TransformablePersistedPropertyMacro")
