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
    return makeFault(id, layout: layout, type: objectClass(of: layout))
  }

  @inline(__always)
  func makeFault(_ id: RowID, layout: EntityLayout, type: NSManagedObject.Type) -> NSManagedObject {
    let object = makeMember(id, layout: Unmanaged.passUnretained(layout), type: type, from: seed(of: layout))
    registry.insert(object, id: id)
    return object
  }

  /// The input of the initializers of an entity's faults.
  @inline(__always)
  func seed(of layout: EntityLayout) -> _ObjectSeed { _ObjectSeed(unretained: layout.entity, self) }

  /// Returns the class of an entity's objects, looked up once.
  /// - Parameter likely: a class to try first: comparing names costs a tenth of searching all classes.
  @discardableResult
  func objectClass(of layout: EntityLayout, likely: Any.Type = NSManagedObject.self) -> NSManagedObject.Type {
    if let known = sourceState.classes[layout.number] { return known }
    var found = NSManagedObject.self
    if settings.makesPlainObjects {
      found = NSManagedObject.self
    } else if let likely = likely as? NSManagedObject.Type, ObjectClasses.isNamed(likely, by: layout.entity) {
      found = likely
    } else {
      found = ObjectClasses.type(of: layout.entity)
    }
    sourceState.classes[layout.number] = found
    return found
  }
}
