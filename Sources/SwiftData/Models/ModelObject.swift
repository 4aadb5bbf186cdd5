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
  fileprivate func modelOrNumber() -> (AnyObject?, UInt32) {
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
  fileprivate func hold(_ model: AnyObject) { held = .passUnretained(model) }

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

/// Makes the models of a context's objects.
struct ModelMaker<Model: PersistentModel> {
  private let context: ModelObjectContext
  private let thread = ModelThread.current
  /// Whether all objects have the class, and its superclass is no model.
  private let isPlain: Bool

  init(_ context: ModelObjectContext) {
    self.context = context
    isPlain = !context.classes.related.contains(ObjectIdentifier(Model.self))
  }

  /// Returns the models of objects.
  func models(of objects: [NSManagedObject]) -> [Model] {
    guard let first = objects.first else { return [] }
    // The models that `@Model` declares take their state from the thread, so that all may be passed the same data.
    let data: any BackingData<Model> = ManagedBackingData<Model>(unsafeDowncast(first, to: ModelObject.self), 0)
    return [Model](unsafeUninitializedCapacity: objects.count) { models, count in
      for object in objects {
        // SwiftData's contexts have no other objects.
        let object = unsafeDowncast(object, to: ModelObject.self)
        let (known, number) = object.modelOrNumber()
        let model = known.map { unsafeDowncast($0, to: Model.self) } ?? make(object, number, data)
        models.initializeElement(at: count, to: model)
        count += 1
      }
    }
  }

  /// Returns the model of an object.
  func model(of object: ModelObject) -> Model {
    let (known, number) = object.modelOrNumber()
    if let known { return unsafeDowncast(known, to: Model.self) }
    return make(object, number, ManagedBackingData<Model>(object, number))
  }

  private func make(_ object: ModelObject, _ number: UInt32, _ data: any BackingData<Model>) -> Model {
    guard isPlain else { return makeOfEntity(object, number) }
    thread.pending = .init(
      type: ObjectIdentifier(Model.self), object: Unmanaged.passUnretained(object).toOpaque(),
      context: Unmanaged.passUnretained(context).toOpaque(), generation: number)
    var model = Model(backingData: data)
    if thread.pending != nil {
      thread.pending = nil
      // A class without `@Model`.
      model = Model(backingData: ManagedBackingData<Model>(object, number))
    }
    object.hold(model)
    return model
  }
}

extension ModelMaker {
  /// Makes a model of the class of the object's entity. What the root class declares makes all of its backing data.
  private func makeOfEntity(_ object: ModelObject, _ number: UInt32) -> Model {
    func make<Root: PersistentModel>(_: Root.Type) -> AnyObject? {
      guard let type = object.modelClass, let subclass = type as? Root.Type else { return nil }
      thread.pending = .init(
        type: ObjectIdentifier(type), object: Unmanaged.passUnretained(object).toOpaque(),
        context: Unmanaged.passUnretained(context).toOpaque(), generation: number)
      defer { thread.pending = nil }
      return subclass.init(backingData: ManagedBackingData<Root>(object, number))
    }
    guard let model = make(Model.Root.self) as? Model else {
      preconditionFailure(
        "The schema has no class for the entity '\(object.entity.name ?? "")' that is a \(Model.self)")
    }
    object.hold(model)
    return model
  }
}

/// The classes of a schema.
struct ModelClasses: Sendable {
  /// By the names of their entities.
  let byEntity: [String: any PersistentModel.Type]
  /// The classes that have superclasses or subclasses among them.
  let related: Set<ObjectIdentifier>

  init(_ schema: Schema) {
    byEntity = Dictionary(uniqueKeysWithValues: schema.entities.map { ($0.name, $0.model) })
    related = Set(
      byEntity.values.flatMap { model in model.superclass.map { [ObjectIdentifier(model), ObjectIdentifier($0)] } ?? []
      })
  }
}

/// A context of managed objects below a model context.
final class ModelObjectContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: set before the context is used.

  weak var modelContext: ModelContext?
  /// The classes of the container's schema.
  var classes = ModelClasses(Schema())
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
