/// The values of one model object.
public protocol BackingData<Model> {
  associatedtype Model: PersistentModel

  /// The store's own data about the object.
  var metadata: Any { get }

  /// The object's identifier; nil before the object has one.
  var persistentModelID: PersistentIdentifier? { get set }

  /// Makes the values of a new object.
  init(for modelType: Model.Type)

  // The functions for attributes give way to those for relationships, because models may be Codable too.

  /// Returns an attribute's value.
  @_disfavoredOverload
  func getValue<Value>(forKey: KeyPath<Model, Value>) -> Value where Value: Decodable

  /// Returns the destination of a to-one relationship.
  func getValue<Value>(forKey: KeyPath<Model, Value>) -> Value where Value: PersistentModel

  /// Returns the destination of a to-one relationship, or nil.
  func getValue<Value>(forKey: KeyPath<Model, Value?>) -> Value? where Value: PersistentModel

  /// Returns the destinations of a to-many relationship.
  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement

  /// Returns the destinations of a to-many relationship to models that can be decoded.
  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement

  /// Returns the value of an attribute with a value transformer.
  func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value

  /// Sets an attribute's value.
  @_disfavoredOverload
  func setValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) where Value: Encodable

  /// Sets the destination of a to-one relationship.
  func setValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) where Value: PersistentModel

  /// Sets or removes the destination of a to-one relationship.
  func setValue<Value>(forKey: KeyPath<Model, Value?>, to newValue: Value?) where Value: PersistentModel

  /// Sets the destinations of a to-many relationship.
  func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement

  /// Sets the destinations of a to-many relationship to models that can be encoded.
  func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement

  /// Sets the value of an attribute with a value transformer.
  func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)
}

/// A collection of models, as a to-many relationship has it.
public protocol RelationshipCollection {
  associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
  public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection
where Wrapped: RelationshipCollection, Wrapped: Sequence, Wrapped.Element: PersistentModel {
  public typealias PersistentElement = Wrapped.Element
}
