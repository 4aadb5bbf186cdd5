import StrataManagedModel
import StrataRowStore
import StrataRuntime

/// Conversions between row IDs and public IDs.
extension NSManagedObjectContext {
  /// Returns a row's public ID.
  func publicID(_ id: RowID) -> NSManagedObjectID { NSManagedObjectID(id, holding: .passRetained(idOrigin(of: id))) }

  private func idOrigin(of id: RowID) -> IDOrigin {
    let store = source?.store(number: id.store)
    if let known = sourceState.idOrigins[id.entity], known.isOrigin(of: id, entity: known.entity, store: store) {
      return known
    }
    let origin = IDOrigin.origin(of: id, entity: model.entity(number: id.entity), store: store)
    sourceState.idOrigins[id.entity] = origin
    return origin
  }

  /// Returns the public IDs of many rows.
  func publicIDs(_ ids: [RowID]) -> Set<NSManagedObjectID> {
    if ids.isEmpty { return [] }
    if ids.count == 1 { return [NSManagedObjectID(ids[0], holding: .passRetained(idOrigin(of: ids[0])))] }
    var made = Set<NSManagedObjectID>(roomFor: ids.count)
    var maker = IDMaker(self)
    for id in ids { made.insert(maker.publicID(id)) }
    return made
  }

  /// Returns the public IDs of many rows, in their order.
  func publicIDList(_ ids: [RowID]) -> [NSManagedObjectID] {
    var maker = IDMaker(self)
    return Array(unsafeUninitializedCapacity: ids.count) { objects, count in
      ids.withUnsafeBufferPointer { ids in
        while count < ids.count {
          // Retains the origin of a run of IDs once.
          let origin = Unmanaged.passUnretained(maker.origin(of: ids[count]))
          let (start, common) = (count, ids[count].bits >> 44)
          repeat {
            objects.initializeElement(at: count, to: NSManagedObjectID(ids[count], holding: origin))
            count += 1
          } while count < ids.count && ids[count].bits >> 44 == common
          strata_retain(origin.toOpaque(), UInt32(count - start))
        }
      }
    }
  }

  /// Looks up entity and store only where they change.
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

  /// Returns the row that an ID identifies in this context's coordinator, even if the ID came from another one.
  func rowID(of objectID: NSManagedObjectID) -> RowID? {
    guard let source else { return nil }
    let id = objectID.rowID
    if id.isTemporary { return id.entity == 0 ? nil : family.replacedIDs.current(id) }
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
}
