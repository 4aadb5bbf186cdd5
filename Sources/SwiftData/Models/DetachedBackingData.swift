/// The values of an object that is in no context.
struct DetachedBackingData<Model: PersistentModel>: BackingData {
  /// Values by key path, shared by the classes of one object.
  private let storage: DetachedValues

  var metadata: Any { storage }

  var persistentModelID: PersistentIdentifier? {
    get { storage.identifier }
    nonmutating set { storage.identifier = newValue }
  }

  init(for modelType: Model.Type) { storage = DetachedValues(entityName: "\(modelType)") }

  init<Other>(sharing other: DetachedBackingData<Other>) { storage = other.storage }

  /// Moves the values to the backing data of a superclass.
  func joined<Other>(_ inherited: DetachedBackingData<Other>) -> Self {
    if storage !== inherited.storage {
      inherited.storage.values.merge(storage.values) { _, own in own }
      inherited.storage.identifier = storage.identifier
    }
    return DetachedBackingData(sharing: inherited)
  }

  /// Returns the value at a key path; nil if the property has not been set.
  func value(at key: AnyKeyPath) -> Any? { storage.values[key] }

  private func value<Value>(_ key: KeyPath<Model, Value>) -> Value {
    guard let value = storage.values[key] as? Value else { preconditionFailure("\(key) has no value") }
    return value
  }

  func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value where Value: Decodable { value(key) }

  func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value where Value: PersistentModel { value(key) }

  func getValue<Value>(forKey key: KeyPath<Model, Value?>) -> Value? where Value: PersistentModel { value(key) }

  func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { value(key) }

  func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement { value(key) }

  func getTransformableValue<Value>(forKey key: KeyPath<Model, Value>) -> Value { value(key) }

  func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) where Value: Encodable {
    storage.values[key] = newValue
  }

  func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) where Value: PersistentModel {
    storage.values[key] = newValue
  }

  func setValue<Value>(forKey key: KeyPath<Model, Value?>, to newValue: Value?) where Value: PersistentModel {
    storage.values[key] = newValue
  }

  func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    storage.values[key] = newValue
  }

  func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    storage.values[key] = newValue
  }

  func setTransformableValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) {
    storage.values[key] = newValue
  }
}

private final class DetachedValues {
  var values: [AnyKeyPath: Any] = [:]
  var identifier: PersistentIdentifier?

  init(entityName: String) { identifier = PersistentIdentifier(entityName: entityName) }
}
