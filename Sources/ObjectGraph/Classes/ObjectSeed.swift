import StrataManagedModel
import StrataRowStore

/// Creates objects of a class known only at run time: `T(context:)` of a generic parameter, `Self(context:)` and
/// `type.init(entity:insertInto:)`.
///
/// On such a class Swift calls only `required` initializers. If these two were required, every subclass with its own
/// initializer would have to repeat them; all subclasses inherit `init(_seed:)`.
public protocol _MadeFromSeed { init(_seed seed: _ObjectSeed) }

extension _MadeFromSeed where Self: NSManagedObject {
  /// Creates an object of the class at run time, and inserts it into a context if one is given.
  @_documentation(visibility: internal)
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    self.init(_seed: _ObjectSeed(entity: entity, context: context))
  }

  /// Inserts a new object of the entity that the class represents in the context's model.
  @_documentation(visibility: internal)
  public init(context moc: NSManagedObjectContext) { self.init(_seed: _ObjectSeed(entity: nil, context: moc)) }

  // For the compiler's message. As a member of the class, it would be a second witness of a protocol's `init()`.
  /// Not available: an object has an entity.
  @available(
    *, unavailable, message: "A managed object has an entity: use init(context:) or init(entity:insertInto:)."
  )
  @_documentation(visibility: internal)
  public init() { fatalError("A managed object has an entity: use init(context:) or init(entity:insertInto:).") }
}

/// The input of an object's initializer, for any class. Only contexts and the initializers of this framework make one.
public struct _ObjectSeed {
  /// The entity, retained for the object's initializer; nil means the entity that the class represents.
  let entity: Unmanaged<NSEntityDescription>?
  /// The context, retained for the object's initializer.
  let context: Unmanaged<NSManagedObjectContext>?

  init(entity: NSEntityDescription?, context: NSManagedObjectContext?) {
    self.entity = entity.map(Unmanaged.passRetained)
    self.context = context.map(Unmanaged.passRetained)
  }

  /// The seed of faults. It is unretained: nothing is counted per fault, and the initializer of `NSManagedObject`
  /// leaves it so.
  init(unretained entity: NSEntityDescription, _ context: NSManagedObjectContext) {
    self.entity = .passUnretained(entity)
    self.context = .passUnretained(context)
  }
}

/// The fault that a context is creating, for the initializer of its class.
struct PendingFault {
  let id: RowID
  /// The layout, retained by the model, and its entity.
  let layout: Unmanaged<EntityLayout>
  let entity: Unmanaged<NSEntityDescription>
  /// The fault's class: its initializer may create other objects before it finishes.
  let type: ObjectIdentifier
}

extension NSManagedObjectContext {
  /// Creates a fault, which the caller inserts into the registry.
  @inline(__always)
  func makeMember(
    _ id: RowID, layout: Unmanaged<EntityLayout>, type: NSManagedObject.Type, from seed: _ObjectSeed
  ) -> NSManagedObject {
    registry.pendingFault = PendingFault(
      id: id, layout: layout, entity: seed.entity.unsafelyUnwrapped, type: ObjectIdentifier(type))
    let object = type.init(_seed: seed)
    if registry.pendingFault != nil { plant(object) }
    return object
  }

  /// Turns an object into the requested fault if its class did not pass the context to `super.init`.
  @inline(never)
  private func plant(_ object: NSManagedObject) {
    guard let fault = registry.pendingFault else { return }
    registry.pendingFault = nil
    // No initializer consumed the unretained references.
    _ = fault.entity.retain()
    _ = Unmanaged.passUnretained(self).retain()
    if let other = object.context { other.delete(object) }
    object.join(registry, as: fault)
  }
}
