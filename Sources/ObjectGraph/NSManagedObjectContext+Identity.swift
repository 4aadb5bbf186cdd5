import CSwiftRuntime
import Foundation
import ManagedModel
import RowStore

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

  /// The public form of a row's id.
  func publicID(_ id: RowID) -> NSManagedObjectID {
    NSManagedObjectID(
      rowID: id, entity: model.layout(number: id.entity).entity, store: source?.store(number: id.store))
  }

  private func idOrigin(of id: RowID) -> IDOrigin {
    let store = source?.store(number: id.store)
    // The entity is the same as long as the source is.
    if let known = idOrigins[id.entity], known.isOrigin(of: id, known.entity, store) { return known }
    let origin = IDOrigin.origin(of: id, model.layout(number: id.entity).entity, store)
    idOrigins[id.entity] = origin
    return origin
  }

  /// The public forms of many ids.
  func publicIDs(_ ids: [RowID]) -> Set<NSManagedObjectID> {
    if ids.count == 1 { return [NSManagedObjectID(ids[0], holding: .passRetained(idOrigin(of: ids[0])))] }
    var made = Set<NSManagedObjectID>(roomFor: ids.count)
    var maker = IDMaker(self)
    for id in ids { made.insert(maker.publicID(id)) }
    return made
  }

  /// The public forms of many ids, in their order.
  func publicIDList(_ ids: [RowID]) -> [NSManagedObjectID] {
    var maker = IDMaker(self)
    return Array(unsafeUninitializedCapacity: ids.count) { places, count in
      ids.withUnsafeBufferPointer { ids in
        while count < ids.count {
          // References to what the ids of a run have in common are counted at once.
          let origin = Unmanaged.passUnretained(maker.origin(of: ids[count]))
          let (start, common) = (count, ids[count].bits >> 44)
          repeat {
            places.initializeElement(at: count, to: NSManagedObjectID(ids[count], holding: origin))
            count += 1
          } while count < ids.count && ids[count].bits >> 44 == common
          strata_retain(origin.toOpaque(), UInt32(count - start))
        }
      }
    }
  }

  /// Looks entity and store up where they change.
  private struct IDMaker {
    private let context: NSManagedObjectContext
    private var last = RowID.none
    private var origin: IDOrigin?

    init(_ context: NSManagedObjectContext) { self.context = context }

    mutating func publicID(_ id: RowID) -> NSManagedObjectID {
      NSManagedObjectID(id, holding: .passRetained(origin(of: id)))
    }

    mutating func origin(of id: RowID) -> IDOrigin {
      if let origin, id.bits >> 44 == last.bits >> 44 { return origin }
      let found = context.idOrigin(of: id)
      (last, origin) = (id, found)
      return found
    }
  }

  /// The row that an id stands for in this context's coordinator, also if it came from another one.
  func rowID(of objectID: NSManagedObjectID) -> RowID? {
    guard let source else { return nil }
    let id = objectID.rowID
    if id.isTemporary { return retiredIDs.current(id) }
    if let identity = objectID.storeIdentity, source.store(number: id.store) === identity,
      objectID.entity.model === source.model
    {
      return id
    }
    guard let uuid = objectID.storeIdentity?.uuid, let store = source.store(uuid: uuid),
      let entity = source.model.entitiesByName[objectID.entity.name ?? ""]
    else { return nil }
    return RowID(store: store.number, entity: entity.layout.number, key: id.key)
  }

  /// Gives objects other ids, and puts them in the place of the old ones in every unsaved row.
  /// - Parameters:
  ///   - ids: the new ids, in the order of the objects.
  ///   - known: changes of ids beyond those of the objects.
  func renumber(_ objects: [NSManagedObject], as ids: [RowID], _ known: IDChanges = IDChanges()) {
    var map = known
    if !children.isEmpty || model.hasRelationships {
      if known.isEmpty { map = IDChanges(capacity: objects.count) }
      for (object, id) in zip(objects, ids) where object.rowID != id { map.set(object.rowID, to: id) }
    }
    registry.rename(objects, as: ids)
    objects.forEachHeld { object in
      if object.edits?.ownsRow == true { object.page?.setID(object.rowID, Int(object.rowIndex)) }
    }
    guard !map.isEmpty else { return }
    recent.sets.removeAll()
    listed.forEachHeld { if $0.layout.hasRelationships { $0.replaceIDs(map) } }
    guard !children.isEmpty else { return }
    children.removeAll { $0.context == nil }
    if children.isEmpty { retiredIDs.forget() } else if known.isEmpty { retiredIDs.add(map) }
  }

  /// A page with room for one more row that is not saved: small at first, so that one edit does not cost 256 rows.
  func scratchPage(for layout: EntityLayout) -> RowPage {
    let last = scratch[layout.number]
    if let last, !last.isFull { return last }
    let capacity = min(256, (last?.capacity ?? 1) * 8)
    // As much text as in the last page, and some more: a heap that grows by itself ends half empty.
    let text = last.map { $0.heapBytes / $0.count * 9 / 8 } ?? 32
    let page = RowPage(layout: layout, capacity: capacity, heapCapacity: capacity * text)
    scratch[layout.number] = page
    return page
  }

  func list(_ object: NSManagedObject) {
    guard !object.marks.contains(.listed) else { return }
    object.marks.insert(.listed)
    listed.append(object)
  }

  /// Whether a row is older than the staleness interval allows.
  func isStale(_ page: RowPage) -> Bool {
    stalenessInterval >= 0 && Double(RowPage.now - page.madeAt) > stalenessInterval * 1e9
  }

  func whileDeleting(_ body: () -> Void) {
    let before = isDeleting
    isDeleting = true
    body()
    isDeleting = before
  }

  func withoutChangeTracking(_ body: () -> Void) {
    let before = tracksChanges
    tracksChanges = false
    body()
    tracksChanges = before
  }
}

extension NSManagedObject {
  /// Puts permanent ids in the place of temporary ones, in the object's own row and in its relationships.
  func replaceIDs(_ map: IDChanges) {
    guard let edits else { return }
    if edits.ownsRow, let page {
      for slot in layout.toOneSlots {
        let id = page.reference(Int(rowIndex), slot)
        guard id.isTemporary, let new = map[id] else { continue }
        page.setReference(new, Int(rowIndex), slot)
      }
    }
    if edits.links.areUntouched { return }
    for number in edits.links.indices { edits.links[number]?.replaceIDs(map) }
  }
}

extension EntityLayout {
  /// Whether rows of the entity name other rows.
  var hasRelationships: Bool { !toMany.isEmpty || !toOneSlots.isEmpty }
}

extension NSManagedObjectModel {
  fileprivate var hasRelationships: Bool { layouts.contains(where: \.hasRelationships) }
}
