import CoreData
import Observation
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

  func makeRegistrar() -> ObservationRegistrar {
    if let registrar { return registrar }
    let new = ObservationRegistrar()
    registrar = new
    return new
  }

  // MARK: The model

  /// The model, if the program keeps it; nil otherwise.
  private var heldModel: AnyObject? {
    let isAlive = generation.withLock { _ in
      // The memory is not freed before the model's state has had the lock, to release the model.
      held.map { strata_try_retain($0.toOpaque()) != nil } ?? false
    }
    // Only this thread replaces the model of its context.
    return isAlive ? held?.takeRetainedValue() : nil
  }

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
    if let heldModel { return unsafeDowncast(heldModel, to: Model.self) }
    guard let context = managedObjectContext as? ModelObjectContext else {
      preconditionFailure("The object of a \(Model.self) is in no context")
    }
    return makeModel(in: context, ModelThread.current)
  }

  private func makeModel<Model: PersistentModel>(in context: ModelObjectContext, _ thread: ModelThread) -> Model {
    let next = nextGeneration()
    thread.pending = .init(type: ObjectIdentifier(Model.self), object: self, context: context, generation: next)
    let model = Model(backingData: ManagedBackingData<Model>(self, next))
    thread.pending = nil
    hold(model, next)
    return model
  }

  private func nextGeneration() -> UInt32 {
    generation.withLock { generation in
      generation &+= 1
      held = nil
      return generation
    }
  }

  private func hold(_ model: AnyObject, _ number: UInt32) {
    generation.withLock { generation in
      if generation == number { held = .passUnretained(model) }
    }
  }

  /// Returns the models of objects of one context.
  static func models<Model: PersistentModel>(of objects: [NSManagedObject], in context: ModelObjectContext) -> [Model] {
    guard let first = objects.first else { return [] }
    let thread = ModelThread.current
    // The models that `@Model` declares take their state from the thread, so that they need no backing data of their own.
    let data: any BackingData<Model> = ManagedBackingData<Model>(unsafeDowncast(first, to: ModelObject.self), 0)
    return objects.map { object in
      // SwiftData's contexts have no other objects.
      let object = unsafeDowncast(object, to: ModelObject.self)
      if let model = object.heldModel { return unsafeDowncast(model, to: Model.self) }
      let next = object.nextGeneration()
      thread.pending = .init(type: ObjectIdentifier(Model.self), object: object, context: context, generation: next)
      let model = Model(backingData: data)
      guard thread.pending == nil else {
        thread.pending = nil
        return object.makeModel(in: context, thread)
      }
      object.hold(model, next)
      return model
    }
  }

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

  /// Whether it comes before another object of a to-many relationship.
  func isBefore(_ other: ModelObject) -> Bool {
    objectID.uriRepresentation().isBefore(other.objectID.uriRepresentation())
  }
}

/// A context of managed objects below a model context.
final class ModelObjectContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: set before the context is used.

  weak var modelContext: ModelContext?
  /// For the models of the context.
  let probe = ReadProbe()
  /// Whether a change starts an automatic save.
  var isMain = false

  /// Notes a change of a model, for the next automatic save.
  func noteChange() { if isMain { modelContext?.noteChange() } }
}

extension URL {
  /// Compares the keys in URIs of objects by their numbers.
  fileprivate func isBefore(_ other: URL) -> Bool {
    absoluteString.compare(other.absoluteString, options: .numeric) == .orderedAscending
  }
}
