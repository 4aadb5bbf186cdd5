import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Finds out which property a Swift key path reads, by reading it on an object of the class: the accessors record which
/// properties are read, and the result is compared with the marks set as values.
///
/// On Linux, Swift cannot name computed properties, and properties behind `@NSManaged` are computed. The object is a
/// fault of a context without a store, so that its accessors take the slow path of a fault to get here; other objects
/// pay nothing. The objects at the other ends of relationships are probes too, to any depth.
final class KeyPathProbe: @unchecked Sendable {
  // Sendable: created, used and released by one thread, on its context's queue.

  /// One read of a property of an object.
  struct Read: Equatable {
    let object: RowID
    let property: String
    var isToMany = false
  }

  let model: NSManagedObjectModel
  private let marking: Marking
  /// The properties read, each once, in the order of the first read.
  private(set) var reads: [Read] = []
  /// The objects created for the other ends of relationships; only the probe retains them.
  private var objects: [RowID: NSManagedObject] = [:]
  /// The read that led to each object.
  private var origins: [RowID: Read] = [:]
  private var lastKey: Int64 = 0

  init(_ model: NSManagedObjectModel, marking: Marking) {
    self.model = model
    self.marking = marking
  }

  /// Reads a key path on a new object of an entity and passes the result to `body`.
  static func read<Answer>(
    _ keyPath: AnyKeyPath, of layout: EntityLayout, in model: NSManagedObjectModel, marking: Marking,
    body: (_ value: Any?, _ root: NSManagedObject, _ probe: KeyPathProbe) -> Answer
  ) -> Answer {
    let probe = KeyPathProbe(model, marking: marking)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.source = probe
    context.probe = probe
    return context.performAndWait {
      let root = probe.makeObject(of: layout, in: context, from: nil)
      defer { probe.objects = [:] }
      return body(root[keyPath: keyPath], root, probe)
    }
  }

  /// Records a read of a property, and gives the object its marks.
  func note(_ object: NSManagedObject, slot: Int) {
    if object.page == nil {
      let row = marking.row(object.layout, object.rowID)
      object.adopt(row.page, row: row.index)
    }
    guard slot >= 0 else { return }
    let read = Read(object: object.rowID, property: object.layout.slots[slot].owner.name)
    guard !reads.contains(read) else { return }
    reads.append(read)
    guard let relationship = object.layout.slots[slot].relationship, let context = object.context else { return }
    let target = makeObject(of: relationship.destinationEntity?.layout, in: context, from: read)
    object.page?.setReference(target.rowID, row: object.rowIndex, slot: slot)
  }

  private func makeObject(
    of layout: EntityLayout?, in context: NSManagedObjectContext, from origin: Read?
  ) -> NSManagedObject {
    guard let layout else { fatalError("The relationship '\(origin?.property ?? "")' has no destination.") }
    lastKey += 1
    let id = RowID(store: 1, entity: layout.number, key: lastKey)
    origins[id] = origin
    let object = context.makeFault(id)
    objects[id] = object
    return object
  }

  func object(_ id: RowID) -> NSManagedObject? { objects[id] }

  /// Returns the properties that lead from the root to an object; nil if the object is not the probe's.
  func path(to object: RowID) -> [Read]? {
    guard objects[object] != nil else { return nil }
    guard let origin = origins[object] else { return [] }
    return path(to: origin.object).map { $0 + [origin] }
  }
}

/// A source without rows. A to-many relationship has one member, which identifies its owner.
extension KeyPathProbe: ObjectSource {
  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    guard let object = objects[owner], let context = object.context else { return [] }
    let property = object.layout.toMany[relationship]
    let read = Read(object: owner, property: property.name, isToMany: true)
    if !reads.contains(read) { reads.append(read) }
    return [makeObject(of: property.relationship.destinationEntity?.layout, in: context, from: read).rowID]
  }

  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    let lists = MemberLists(of: owners)
    for owner in lists.owners { lists.append(try related(to: owner, relationship: relationship)) }
    return lists
  }

  func rows(for plan: FetchQuery) throws -> RowList { RowList() }
  func ids(for plan: FetchQuery) throws -> [RowID] { [] }
  func count(for plan: FetchQuery) throws -> Int { 0 }
  func rows(with ids: [RowID]) throws -> RowList { RowList() }
  func values(for plan: AggregateQuery) throws -> ValueTable { throw Self.refusal }
  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? { nil }
  func permanentIDs(for batch: ChangeBatch) throws -> [RowID]? { nil }
  func pinned() throws -> (any ObjectSource)? { nil }
  func store(number: Int) -> StoreIdentity? { nil }
  func store(uuid: String) -> StoreIdentity? { nil }
  func attach(_ context: NSManagedObjectContext) {}

  func commit(_ batch: ChangeBatch) throws -> CommitReceipt { throw Self.refusal }
  func execute(_ change: BulkChange) throws -> BulkReceipt { throw Self.refusal }

  private static var refusal: StoreError {
    StoreError(.notOpen, "An accessor asked its context's store while the name of a property was looked for.")
  }
}
