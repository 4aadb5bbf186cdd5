import StrataManagedModel
import StrataRowStore

/// What makes objects of a class that is known only at run time: `T(context:)` of a generic parameter, `Self(context:)` and
/// `type.init(entity:insertInto:)`.
///
/// Swift calls `required` initializers alone on such a class. Every subclass with an initializer of its own would have to
/// repeat these two if they were; all inherit `init(_seed:)`.
public protocol _MadeFromSeed { init(_seed seed: _ObjectSeed) }

extension _MadeFromSeed where Self: NSManagedObject {
  /// Creates an object of the class at run time, and inserts it into a context if one is given.
  @_documentation(visibility: internal)
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    self.init(_seed: _ObjectSeed(entity, context))
  }

  /// Inserts a new object of the entity that the class represents in the context's model.
  @_documentation(visibility: internal)
  public init(context moc: NSManagedObjectContext) { self.init(_seed: _ObjectSeed(nil, moc)) }
}

/// What an object of any class is created from. Only contexts and the initializers of this framework make one.
public struct _ObjectSeed {
  /// The entity, which the object's initializer takes a reference of; nil is the one that the class stands for.
  let entity: Unmanaged<NSEntityDescription>?
  /// The context, which the object's initializer takes a reference of.
  let context: Unmanaged<NSManagedObjectContext>?

  /// What a new object is made from.
  init(_ entity: NSEntityDescription?, _ context: NSManagedObjectContext?) {
    self.entity = entity.map(Unmanaged.passRetained)
    self.context = context.map(Unmanaged.passRetained)
  }

  /// What faults are made from. No reference is counted for one: the two are lent, and the initializer of `NSManagedObject`
  /// gives them back.
  init(lending entity: NSEntityDescription, _ context: NSManagedObjectContext) {
    self.entity = .passUnretained(entity)
    self.context = .passUnretained(context)
  }
}

/// The fault that a context is making, for the initializer of its class.
struct FaultSeed {
  let id: RowID
  /// The layout, which the model holds, and its entity.
  let layout: Unmanaged<EntityLayout>
  let entity: Unmanaged<NSEntityDescription>
  /// Whose fault it is: an initializer may make other objects before it is through.
  let type: ObjectIdentifier
}

extension NSManagedObjectContext {
  /// A fault that the caller goes on to insert into the registry.
  @inline(__always)
  func makeMember(
    _ id: RowID, _ layout: Unmanaged<EntityLayout>, _ type: NSManagedObject.Type, from seed: _ObjectSeed
  ) -> NSManagedObject {
    self.seed = FaultSeed(
      id: id, layout: layout, entity: seed.entity.unsafelyUnwrapped, type: ObjectIdentifier(type))
    let object = type.init(_seed: seed)
    if self.seed != nil { plant(object) }
    return object
  }

  /// Makes an object the fault that was asked for, if its class did not give the context to `super.init`.
  @inline(never)
  private func plant(_ object: NSManagedObject) {
    guard let seed else { return }
    self.seed = nil
    // Nobody gave back what was lent.
    _ = seed.entity.retain()
    _ = Unmanaged.passUnretained(self).retain()
    if let other = object.context { other.delete(object) }
    object.join(registry, as: seed)
  }
}
