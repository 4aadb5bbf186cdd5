import CoreData

/// Makes the models of a context's objects.
struct ModelMaker<Model: PersistentModel> {
  private let context: ModelObjectContext
  private let thread = ModelThread.current
  /// Whether all objects have the class, and its superclass is not a model.
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
    // An initial value may make models too.
    let outer = thread.pending
    defer { thread.pending = outer }
    thread.pending = pending(ObjectIdentifier(Model.self), object, number)
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
  @inline(__always)
  private func pending(_ type: ObjectIdentifier, _ object: ModelObject, _ number: UInt32) -> ModelThread.Pending {
    .init(
      type: type, object: Unmanaged.passUnretained(object).toOpaque(),
      context: Unmanaged.passUnretained(context).toOpaque(), generation: number)
  }

  /// Makes a model of the class of the object's entity. What the root class declares makes all of its backing data.
  private func makeOfEntity(_ object: ModelObject, _ number: UInt32) -> Model {
    func make<Root: PersistentModel>(_: Root.Type) -> AnyObject? {
      guard let type = object.modelClass, let subclass = type as? Root.Type else { return nil }
      let outer = thread.pending
      defer { thread.pending = outer }
      thread.pending = pending(ObjectIdentifier(type), object, number)
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
