import StrataManagedModel
import StrataRowStore

/// From a row, or its id, to the object that stands for it.
extension NSManagedObjectContext {
  /// The object with an id: the one that there is, or a new fault. nil for the id of a new object that is gone.
  func object(_ id: RowID) -> NSManagedObject? {
    guard id != .none else { return nil }
    let id = retiredIDs.current(id)
    if let object = registry.object(id) { return object }
    return id.isTemporary && parent == nil ? nil : makeFault(id)
  }

  /// The object at the other end of a relationship, held for a while if it was made for this.
  func member(_ id: RowID) -> NSManagedObject? {
    if let object = registry.object(id) { return object }
    guard let object = object(id) else { return nil }
    recent.keep(object)
    return object
  }

  /// The object for a row that was read. An object that already has values keeps them.
  func object(for row: Row) -> NSManagedObject {
    let object = registry.object(row.id) ?? makeFault(row.id)
    if object.life == .fault { object.adopt(row.page, row.index) }
    return object
  }

  func makeFault(_ id: RowID) -> NSManagedObject {
    let layout = model.layout(number: id.entity)
    return makeFault(id, layout, objectClass(of: layout))
  }

  @inline(__always)
  func makeFault(_ id: RowID, _ layout: EntityLayout, _ type: NSManagedObject.Type) -> NSManagedObject {
    let object = makeMember(id, Unmanaged.passUnretained(layout), type, from: seed(of: layout))
    registry.insert(object, id)
    return object
  }

  /// What any number of objects of an entity are made from.
  @inline(__always)
  func seed(of layout: EntityLayout) -> _ObjectSeed { _ObjectSeed(lending: layout.entity, self) }

  /// The class of an entity's objects, looked up once.
  /// - Parameter likely: a class that it may be: to compare names costs a tenth of looking for one among all classes.
  @discardableResult
  func objectClass(of layout: EntityLayout, likely: Any.Type = NSManagedObject.self) -> NSManagedObject.Type {
    if classes.count < layout.number { classes += Array(repeating: nil, count: model.layouts.count - classes.count) }
    if let known = classes[layout.number - 1] { return known }
    var found = NSManagedObject.self
    if makesPlainObjects {
      found = NSManagedObject.self
    } else if let likely = likely as? NSManagedObject.Type, ObjectClasses.isNamed(likely, by: layout.entity) {
      found = likely
    } else {
      found = ObjectClasses.type(of: layout.entity)
    }
    classes[layout.number - 1] = found
    return found
  }
}
