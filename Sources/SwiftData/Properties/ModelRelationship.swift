import CoreData
import Synchronization

/// A relationship of a model.
class ModelRelationship: ModelProperty, @unchecked Sendable {
  // Sendable: as its superclass.

  /// The destination's class.
  var destination: any PersistentModel.Type { preconditionFailure("\(Self.self) has no destination") }
  var isToMany: Bool { false }

  /// Whether it has no inverse in some schema. Then it can lead to a model that was deleted, as in Core Data.
  let mayDangle = Atomic(false)

  /// Whether a destination exists.
  final func isLiving(_ object: ModelObject) -> Bool {
    guard mayDangle.load(ordering: .relaxed) else { return true }
    guard let context = object.managedObjectContext else { return false }
    // Not by its properties: a fault without a row would count as deleted, which is a change.
    return !object.isFault || (try? context.existingObject(with: object.objectID)) != nil
  }

  /// The arguments of `@Relationship`; nil without it.
  var options: Schema.Relationship? { metadata.metadata as? Schema.Relationship }
}

/// A to-one relationship.
final class ToOneRelationship<Destination: PersistentModel>: ModelRelationship, @unchecked Sendable {
  // Sendable: as its superclass.

  private let key: _ManagedKey
  override var destination: any PersistentModel.Type { Destination.self }

  init(_ metadata: Schema.PropertyMetadata, isOptional: Bool) {
    key = _ManagedKey(metadata.name)
    super.init(metadata, Destination.self, isOptional: isOptional)
  }

  func model(of object: ModelObject) -> Destination? {
    guard let destination = object._object(key) as? ModelObject, isLiving(destination) else { return nil }
    return destination.model()
  }

  func setModel(_ model: Destination?, of object: ModelObject) {
    object._setObject(model.map { object.member($0) }, key)
  }

  override func write(_ value: Any, of object: ModelObject) { setModel(value as? Destination, of: object) }
}

/// A to-many relationship. Its models have no order.
final class ToManyRelationship<Destination: PersistentModel>: ModelRelationship, @unchecked Sendable {
  // Sendable: as its superclass.

  private let key: _ManagedKey
  override var destination: any PersistentModel.Type { Destination.self }
  override var isToMany: Bool { true }

  init(_ metadata: Schema.PropertyMetadata, isOptional: Bool) {
    key = _ManagedKey(metadata.name)
    super.init(metadata, Destination.self, isOptional: isOptional)
  }

  /// The models in the order of their keys; new ones last.
  func models(of object: ModelObject) -> [Destination] {
    object._value(key, as: Set<NSManagedObject>.self)
      .compactMap { $0 as? ModelObject }
      .filter(isLiving)
      .sorted { $0.isBefore($1) }
      .map { $0.model() }
  }

  func setModels(_ models: [Destination], of object: ModelObject) {
    object._setValue(Set(models.map { object.member($0) as NSManagedObject }), key)
  }

  /// Adds the models to those that they, while they were inserted, have related to the object.
  override func write(_ value: Any, of object: ModelObject) {
    guard let models = value as? [Destination], !models.isEmpty else { return }
    let members = models.map { object.member($0) as NSManagedObject }
    object._setValue(object._value(key, as: Set<NSManagedObject>.self).union(members), key)
  }
}
