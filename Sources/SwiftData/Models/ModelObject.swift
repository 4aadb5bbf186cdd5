import CoreData
import Observation
import StrataObjectGraph
import StrataRowStore
import StrataRuntime
import Synchronization

/// The managed object that has the values of a model.
final class ModelObject: NSManagedObject {
  /// Tells contexts that the class does not override validation.
  static let register: Void = _registerClasses {
    [_RegisteredClass(String(reflecting: ModelObject.self), ModelObject.self)]
  }

  /// Under the lock, with the number of models that the object has had.
  private let generation = Mutex<UInt32>(0)
  /// The model, which is not retained; nil before a program has asked for it, and after it has released it.
  @exclusivity(unchecked) private var held: Unmanaged<AnyObject>?
  /// For observers of properties that are not persisted; made when one is first tracked.
  var registrar: ObservationRegistrar?
  /// Observers from before the insertion.
  var earlierTracking: [EarlierTracking] = []

  /// The managed objects' context, as the model's context has made it.
  var modelContext: ModelContext? { (managedObjectContext as? ModelObjectContext)?.modelContext }

  /// The class of the model; nil without a context.
  var modelClass: (any PersistentModel.Type)? {
    entity.name.flatMap { (managedObjectContext as? ModelObjectContext)?.classes.byEntity[$0] }
  }

  func makeRegistrar() -> ObservationRegistrar {
    if let registrar { return registrar }
    let new = ObservationRegistrar()
    registrar = new
    return new
  }

  // MARK: The model

  /// The model, if the program keeps it; nil otherwise.
  private var heldModel: AnyObject? {
    let isAlive = generation.withLock { _ in isHeldModelAlive() }
    // Only this thread replaces the model of its context.
    return isAlive ? held?.takeRetainedValue() : nil
  }

  /// Retains the model if the program keeps it. Under the lock: the memory is not freed before the model's state has had it.
  @inline(__always)
  private func isHeldModelAlive() -> Bool { held.map { strata_try_retain($0.toOpaque()) != nil } ?? false }

  /// The model, if the program keeps it; nil otherwise.
  var existingModel: (any PersistentModel)? { heldModel as? any PersistentModel }

  /// Makes a model the one of this object.
  ///
  /// - Returns: what the model's state passes to `releaseModel`.
  func adopt(_ model: AnyObject) -> UInt32 {
    generation.withLock { generation in
      generation &+= 1
      held = .passUnretained(model)
      return generation
    }
  }

  /// Called when a model is deinitialized, which need not be the current one.
  func releaseModel(_ released: UInt32) {
    generation.withLock { generation in
      if generation == released { held = nil }
    }
  }

  /// Returns the object's model, which is the same as long as the program has it.
  func model<Model: PersistentModel>(as type: Model.Type = Model.self) -> Model {
    guard let context = managedObjectContext as? ModelObjectContext else {
      guard let heldModel else { preconditionFailure("The object of a \(Model.self) is in no context") }
      return unsafeDowncast(heldModel, to: Model.self)
    }
    return ModelMaker(context).model(of: self)
  }

  /// Returns the model, or the number for a new one.
  func modelOrNumber() -> (AnyObject?, UInt32) {
    let number: UInt32? = generation.withLock { generation in
      if isHeldModelAlive() { return nil }
      generation &+= 1
      held = nil
      return generation
    }
    // Only this thread replaces the model of its context.
    return number.map { (nil, $0) } ?? (held?.takeRetainedValue(), 0)
  }

  /// Makes a new model with the number that `modelOrNumber` returned the one of this object.
  ///
  /// Not under the lock: until the model is released, only this thread uses the reference.
  @inline(__always)
  func hold(_ model: AnyObject) { held = .passUnretained(model) }

  /// Returns the managed object of a model for a relationship of this one. A model without a context is inserted.
  func member<Model: PersistentModel>(_ model: Model) -> ModelObject {
    if let object = model.managedObject, object.managedObjectContext != nil { return object }
    guard let modelContext else {
      preconditionFailure(
        "\(Model.self) cannot be related to a model that was deleted, or whose context no longer exists")
    }
    return modelContext.add(model)
  }

  /// Copies the attributes of an object that is no longer in a context.
  func takeAttributes(of former: ModelObject) {
    for name in entity.attributesByName.keys { setValue(former.value(forKey: name), forKey: name) }
  }

  /// Inserts the object after its deletion, and sets relationships again from whose other side the delete rules have removed it.
  func takeBackDeletion(in context: NSManagedObjectContext) {
    let relationships = entity.relationshipsByName.values.filter { $0.inverseRelationship != nil }
    let links = relationships.map { ($0, $0.destinations(of: self).filter { $0 === self || !$0.isDeleted }) }
    context.insert(self)
    for (relationship, destinations) in links {
      let free = destinations.filter { relationship.isFree($0, for: self) }
      for destinations in [[], free] { relationship.setDestinations(destinations, of: self) }
    }
  }

  /// Whether it comes before another object of a to-many relationship.
  func isBefore(_ other: ModelObject) -> Bool {
    // The keys of new objects count down.
    func place(_ id: RowID) -> (Int, Int, Int, Int64) { (id.isTemporary ? 1 : 0, id.store, id.entity, abs(id.key)) }
    return place(objectID.rowID) < place(other.objectID.rowID)
  }
}

extension NSRelationshipDescription {
  fileprivate func destinations(of object: NSManagedObject) -> Set<NSManagedObject> {
    if isToMany { return object._value(_ManagedKey(name), as: Set<NSManagedObject>.self) }
    return object._object(_ManagedKey(name)).map { [$0] } ?? []
  }

  fileprivate func setDestinations(_ destinations: Set<NSManagedObject>, of object: NSManagedObject) {
    if isToMany {
      object._setValue(destinations, _ManagedKey(name))
    } else {
      object._setObject(destinations.first, _ManagedKey(name))
    }
  }

  /// Whether a destination is related to no other object instead.
  fileprivate func isFree(_ destination: NSManagedObject, for object: NSManagedObject) -> Bool {
    guard let inverseRelationship, !inverseRelationship.isToMany else { return true }
    return inverseRelationship.destinations(of: destination).isSubset(of: [object])
  }
}
