import CoreData

/// The values of an object that is in a context.
struct ManagedBackingData<Model: PersistentModel>: BackingData {
  let object: ModelObject
  /// Of the object's link to the model.
  let generation: UInt32

  var metadata: Any { object }

  var persistentModelID: PersistentIdentifier? {
    get { PersistentIdentifier(object.objectID) }
    // The identifier of an object in a context is the store's.
    nonmutating set {}
  }

  init(_ object: ModelObject, _ generation: UInt32) { (self.object, self.generation) = (object, generation) }

  /// Makes the values of a new object: in no context, as a context cannot be known.
  init(for modelType: Model.Type) {
    preconditionFailure("The values of a new \(Model.self) are in no context: use createBackingData().")
  }

  // MARK: Reading

  private func property(_ key: AnyKeyPath) -> ModelProperty {
    // The context has made the class's table with its schema.
    guard let property = try? ModelTable.of(object.modelClass ?? Model.self)[key] else {
      preconditionFailure("\(key) is not a persisted property of \(Model.self)")
    }
    return property
  }

  private func attribute<Value>(_ key: KeyPath<Model, Value>) -> ModelAttribute<Value> {
    guard let attribute = property(key) as? ModelAttribute<Value> else {
      preconditionFailure("\(key) is not an attribute of type \(Value.self)")
    }
    return attribute
  }

  private func models<Value, OtherModel>(_ key: KeyPath<Model, Value>, of type: OtherModel.Type) -> Value
  where OtherModel: PersistentModel {
    let models = (property(key) as? ToManyRelationship<OtherModel>)?.models(of: object)
    guard let models = models as? Value else {
      preconditionFailure("\(key) is not a to-many relationship to \(OtherModel.self)")
    }
    return models
  }

  func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value where Value: Decodable {
    attribute(key).value(of: object)
  }

  func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value where Value: PersistentModel {
    guard let model = (property(key) as? ToOneRelationship<Value>)?.model(of: object) else {
      fatalError("The required relationship \(key) has no model.")
    }
    return model
  }

  func getValue<Value>(forKey key: KeyPath<Model, Value?>) -> Value? where Value: PersistentModel {
    (property(key) as? ToOneRelationship<Value>)?.model(of: object)
  }

  func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { models(key, of: OtherModel.self) }

  func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    models(key, of: OtherModel.self)
  }

  func getTransformableValue<Value>(forKey key: KeyPath<Model, Value>) -> Value { attribute(key).value(of: object) }

  // MARK: Writing

  private func change(_ body: () -> Void) {
    body()
    (object.managedObjectContext as? ModelObjectContext)?.noteChange()
  }

  private func setModels<Value, OtherModel>(_ key: KeyPath<Model, Value>, to value: Value, of type: OtherModel.Type)
  where OtherModel: PersistentModel {
    change {
      (property(key) as? ToManyRelationship<OtherModel>)?.setModels(value as? [OtherModel] ?? [], of: object)
    }
  }

  func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) where Value: Encodable {
    change { attribute(key).setValue(newValue, of: object) }
  }

  func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) where Value: PersistentModel {
    change { (property(key) as? ToOneRelationship<Value>)?.setModel(newValue, of: object) }
  }

  func setValue<Value>(forKey key: KeyPath<Model, Value?>, to newValue: Value?) where Value: PersistentModel {
    change { (property(key) as? ToOneRelationship<Value>)?.setModel(newValue, of: object) }
  }

  func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setModels(key, to: newValue, of: OtherModel.self)
  }

  func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setModels(key, to: newValue, of: OtherModel.self)
  }

  func setTransformableValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) {
    change { attribute(key).setValue(newValue, of: object) }
  }
}
