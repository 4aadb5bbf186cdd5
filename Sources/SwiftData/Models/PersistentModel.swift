import CoreData

/// A class whose objects are kept in a store. `@Model` makes a class conform to it.
public protocol PersistentModel:
  AnyObject, Observable, Hashable, Identifiable, SendableMetatype, _NamedKeyPathRoot, _PredicateConstant
{
  /// The topmost class of the model's class hierarchy that is a model.
  associatedtype Root: PersistentModel = Self

  /// The object's values.
  var persistentBackingData: any BackingData<Self> { get set }

  /// The persisted properties that the class itself declares, with its indexes and uniqueness constraints.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }

  /// The key paths of all persisted properties from this class, by name. `@Model` implements it where classes inherit.
  static var _persistedKeyPaths: [String: AnyKeyPath] { get }

  /// Makes an object of existing values.
  init(backingData: any BackingData<Self>)
}

extension PersistentModel {
  /// The object's identifier.
  public var persistentModelID: PersistentIdentifier {
    guard let identifier = persistentBackingData.persistentModelID else {
      preconditionFailure("The backing data of \(Self.self) has no identifier")
    }
    return identifier
  }

  /// The object's identifier.
  public var id: PersistentIdentifier { persistentModelID }

  public static var _persistedKeyPaths: [String: AnyKeyPath] {
    Dictionary(schemaMetadata.map { ($0.name, $0.keypath) }) { first, _ in first }
  }

  /// Makes the values of a new object.
  public static func createBackingData<P>() -> some BackingData<P> where P: PersistentModel {
    DetachedBackingData(for: P.self)
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs === rhs }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: Contexts

extension PersistentModel {
  /// The managed object with the model's values; nil for a model without a context.
  var managedObject: ModelObject? { persistentBackingData.metadata as? ModelObject }

  /// The context of the model; nil before it is inserted.
  public var modelContext: ModelContext? { managedObject?.modelContext }

  /// Whether the model has changes that are not saved.
  public var hasChanges: Bool { managedObject?.hasChanges ?? false }

  /// Whether the model is to be deleted by the next save.
  public var isDeleted: Bool { managedObject?.isDeleted ?? false }

  public static func _propertyNames(of keyPath: AnyKeyPath) -> [String]? { KeyPathNames.of(keyPath, from: Self.self) }

  public static var _entityNames: [String] {
    let all = ModelContainer.ofFetch?.classes.byEntity.values.filter { $0 is Self.Type } ?? []
    return all.map(Schema.name(of:)) + (all.isEmpty ? [Schema.name(of: Self.self)] : [])
  }

  public var _predicateConstant: Any? { managedObject }
}

// MARK: Values

// As in `BackingData`, the functions for attributes give way to those for relationships.
extension PersistentModel {
  /// Returns an attribute's value.
  @_disfavoredOverload
  public func getValue<Value>(forKey key: KeyPath<Self, Value>) -> Value where Value: Decodable {
    persistentBackingData.getValue(forKey: key)
  }

  /// Returns the destination of a to-one relationship.
  public func getValue<Value>(forKey key: KeyPath<Self, Value>) -> Value where Value: PersistentModel {
    persistentBackingData.getValue(forKey: key)
  }

  /// Returns the destination of a to-one relationship, or nil.
  public func getValue<Value>(forKey key: KeyPath<Self, Value?>) -> Value? where Value: PersistentModel {
    persistentBackingData.getValue(forKey: key)
  }

  /// Returns the destinations of a to-many relationship.
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    persistentBackingData.getValue(forKey: key)
  }

  /// Returns the destinations of a to-many relationship to models that can be decoded.
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    persistentBackingData.getValue(forKey: key)
  }

  /// Returns the value of an attribute with a value transformer.
  public func getTransformableValue<Value>(forKey key: KeyPath<Self, Value>) -> Value {
    persistentBackingData.getTransformableValue(forKey: key)
  }

  /// Sets an attribute's value.
  @_disfavoredOverload
  public func setValue<Value>(forKey key: KeyPath<Self, Value>, to newValue: Value) where Value: Encodable {
    persistentBackingData.setValue(forKey: key, to: newValue)
  }

  /// Sets the destination of a to-one relationship.
  public func setValue<Value>(forKey key: KeyPath<Self, Value>, to newValue: Value) where Value: PersistentModel {
    persistentBackingData.setValue(forKey: key, to: newValue)
  }

  /// Sets or removes the destination of a to-one relationship.
  public func setValue<Value>(forKey key: KeyPath<Self, Value?>, to newValue: Value?) where Value: PersistentModel {
    persistentBackingData.setValue(forKey: key, to: newValue)
  }

  /// Sets the destinations of a to-many relationship.
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    persistentBackingData.setValue(forKey: key, to: newValue)
  }

  /// Sets the destinations of a to-many relationship to models that can be encoded.
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    persistentBackingData.setValue(forKey: key, to: newValue)
  }

  /// Sets the value of an attribute with a value transformer.
  public func setTransformableValue<Value>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
    persistentBackingData.setTransformableValue(forKey: key, to: newValue)
  }
}
