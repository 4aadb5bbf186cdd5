import StrataManagedModel
import StrataRowStore

/// From a row, or its ID, to its object.
extension NSManagedObjectContext {
  /// Returns the object with an ID: the registered one or a new fault; nil for the ID of a deleted new object.
  func object(_ id: RowID) -> NSManagedObject? {
    guard id != .none else { return nil }
    let id = family.replacedIDs.current(id)
    if let object = registry.object(id) { return object }
    return id.isTemporary && parent == nil ? nil : makeFault(id)
  }

  /// Returns the object at the other end of a relationship, retained for a while if it was created for this.
  func member(_ id: RowID) -> NSManagedObject? {
    if let object = registry.object(id) { return object }
    guard let object = object(id) else { return nil }
    relationships.keep(object)
    return object
  }

  /// Returns the object for a row that was read. An object that already has values keeps them.
  func object(for row: Row) -> NSManagedObject {
    let object = registry.object(row.id) ?? makeFault(row.id)
    if object.life == .fault { object.use(row.page, row: row.index) }
    return object
  }

  func makeFault(_ id: RowID) -> NSManagedObject {
    let layout = model.layout(number: id.entity)
    return makeFault(id, layout: layout, kind: objectKind(of: layout))
  }

  @inline(__always)
  func makeFault(_ id: RowID, layout: EntityLayout, kind: ObjectKind) -> NSManagedObject {
    let object = makeMember(id, layout: Unmanaged.passUnretained(layout), type: kind.type, from: kind.seed)
    registry.insert(object, id: id)
    return object
  }

  /// Returns the class of an entity's objects.
  func objectClass(of layout: EntityLayout) -> NSManagedObject.Type { objectKind(of: layout).type }

  /// Returns how objects of an entity are made, looked up once.
  /// - Parameter likely: a class to try first: comparing names costs a tenth of searching all classes.
  @discardableResult
  func objectKind(of layout: EntityLayout, likely: Any.Type = NSManagedObject.self) -> ObjectKind {
    if let known = sourceState.kinds[layout.number] { return known }
    let entity = model.entity(of: layout)
    // Below a context without a coordinator: the objects may outlive the context whose model they have.
    if registry.model == nil { registry.model = model }
    var found = NSManagedObject.self
    if let objectClass = settings.objectClass {
      found = objectClass
    } else if let likely = likely as? NSManagedObject.Type, ObjectClasses.isNamed(likely, by: entity) {
      found = likely
    } else {
      found = ObjectClasses.type(of: entity)
    }
    let kind = ObjectKind(type: found, seed: _ObjectSeed(unretained: entity, self))
    sourceState.kinds[layout.number] = kind
    return kind
  }
}
