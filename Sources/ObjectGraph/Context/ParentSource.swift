import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// A context as the source of the contexts below it: it answers with its own objects, unsaved changes included, and a
/// child's save becomes changes here.
final class ParentSource: ObjectSource, @unchecked Sendable {
  // Sendable: every question goes to the parent's queue.

  let parent: NSManagedObjectContext
  // The child has this source, and asks it on its own queue alone.
  private unowned(unsafe) let child: NSManagedObjectContext

  init(_ parent: NSManagedObjectContext, of child: NSManagedObjectContext) {
    self.parent = parent
    self.child = child
  }

  /// Asks on the parent's queue. The answer speaks of permanent ids that objects have got meanwhile; the child learns of
  /// them before it sees the answer.
  private func ask<Answer>(_ question: () throws -> Answer) rethrows -> Answer {
    defer { child.takeIDsFromAbove() }
    return try parent.performAndWait {
      parent.takeIDsFromAbove()
      return try question()
    }
  }

  var model: NSManagedObjectModel { parent.model }

  func store(number: Int) -> StoreIdentity? { parent.source?.store(number: number) }
  func store(uuid: String) -> StoreIdentity? { parent.source?.store(uuid: uuid) }

  /// A context that has a parent reads what the parent reads.
  func pinned() throws -> (any ObjectSource)? { nil }

  func attach(_ context: NSManagedObjectContext) {
    parent.performAndWait { parent.children.append(ContextReference(context)) }
  }

  func rows(for plan: FetchQuery) throws -> RowList {
    try ask { RowList(rows: try parentObjects(for: plan).compactMap(\.sharedRow)) }
  }

  func ids(for plan: FetchQuery) throws -> [RowID] {
    try ask { try parentObjects(for: plan).map(\.rowID) }
  }

  func count(for plan: FetchQuery) throws -> Int {
    try ask { try parentObjects(for: plan).count }
  }

  /// Values are those of the store: what is not saved has no part in them, here either.
  func values(for plan: AggregateQuery) throws -> ValueTable {
    try ask {
      var plan = plan
      plan.rows.filter = plan.rows.filter.map(currentRows)
      plan.having = plan.having.map(currentRows)
      return try parent.requireSource().values(for: plan)
    }
  }

  func rows(with ids: [RowID]) throws -> RowList {
    try ask {
      let objects = ids.compactMap(parent.object)
      let unread = objects.filter { $0.life == .fault && $0.page == nil && !$0.rowID.isTemporary }
      if !unread.isEmpty {
        _ = parent.register(try parent.requireSource().rows(with: unread.map(\.rowID)))
      }
      // A fault without a row here has none in the store either: it is left out, not fired.
      return RowList(rows: objects.filter { $0.page != nil && $0.life != .deleted }.compactMap(\.sharedRow))
    }
  }

  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    ask { parent.object(owner)?.linkedIDs(relationship) ?? [] }
  }

  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    ask {
      let objects = owners.compactMap(parent.object)
      parent.readLinks(relationship, of: objects)
      let lists = MemberLists(of: objects.map(\.rowID))
      for owner in lists.owners { lists.append(parent.object(owner)?.linkedIDs(relationship) ?? []) }
      return withExtendedLifetime(objects) { lists }
    }
  }

  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? {
    try parent.performAndWait { try parent.requireSource().reserveIDs(for: entities) }
  }

  /// What the parent knows already gets its id there, so that both speak of the same object.
  func permanentIDs(for batch: ChangeBatch) throws -> [RowID]? {
    try ask {
      let current = batch.inserted.map { parent.retiredIDs.current($0.id) }
      let known = current.map(parent.registry.object)
      try parent.obtainPermanentIDs(for: known.compactMap { $0 })
      // What was saved has its id, whether or not its object is still there.
      func isNew(_ place: Int) -> Bool { known[place] == nil && current[place].isTemporary }
      var rest = batch
      rest.inserted = batch.inserted.indices.filter(isNew).map { batch.inserted[$0] }
      guard var new = try parent.requireSource().permanentIDs(for: rest)?.makeIterator() else { return nil }
      return current.indices.map { isNew($0) ? new.next() ?? .none : known[$0]?.rowID ?? current[$0] }
    }
  }

  func commit(_ batch: ChangeBatch) throws -> CommitReceipt {
    nonisolated(unsafe) let values = child.objectValues(of: batch)
    return ask { parent.apply(batch, values) }
  }

  /// Batch requests and other requests pass the contexts between: they are for the coordinator. The history names the
  /// context that has no parent, as it does for a save.
  func execute(_ change: BulkChange) throws -> BulkReceipt {
    var change = change
    let source = try parent.performAndWait {
      (change.author, change.contextName) = (parent.transactionAuthor, parent.name)
      return try parent.requireSource()
    }
    return try source.execute(change)
  }

  func execute(
    _ request: NSPersistentStoreRequest, for context: NSManagedObjectContext
  ) throws -> NSPersistentStoreResult {
    try parent.performAndWait { try parent.requireSource() }.execute(request, for: context)
  }

  private func parentObjects(for plan: FetchQuery) throws -> [NSManagedObject] {
    parent.processPendingChanges()
    var plan = plan
    plan.filter = plan.filter.map(currentRows)
    return try FetchOverlay(context: parent, plan: plan).objects()
  }

  /// A predicate may name objects as they were called before they were saved.
  private func currentRows(_ filter: PredicateNode) -> PredicateNode {
    filter.mappingValues { value in
      guard case .row(let bits) = value else { return value }
      return .row(parent.retiredIDs.current(RowID(bits: bits)).bits)
    }
  }
}

extension NSManagedObject {
  /// The object's row for a context below: shared if nobody changes it, else a copy. Transient values stay here, as each
  /// object computes its own.
  var sharedRow: Row? {
    materialize()
    guard page != nil, life != .deleted || !flags.contains(.inaccessible) else { return nil }
    return (edits?.ownsRow == true ? row.copy() : row).storedPart
  }
}

extension NSManagedObject {
  /// A child may still name objects as they were called before they were saved.
  fileprivate func takeCurrentIDs() {
    guard let context, let page, context.retiredIDs.end > 0 else { return }
    for slot in layout.slots.indices where layout.slots[slot].kind == .toOne {
      let id = page.reference(Int(rowIndex), slot)
      if id.isTemporary { page.setReference(context.retiredIDs.current(id), Int(rowIndex), slot) }
    }
  }
}

extension NSManagedObjectContext {
  /// Makes a child's save changes of this context. What was new there is new here, under the same temporary id.
  /// - Parameter values: those of transient attributes that are in no row.
  func apply(_ batch: ChangeBatch, _ values: [(object: RowID, values: [Int: Any])]) -> CommitReceipt {
    tellingAtEnd {
      take(batch)
      take(values)
    }
    processPendingChanges()
    tellChildren(
      ObjectIDChanges(
        inserted: batch.inserted.map(\.id), updated: batch.updated.map(\.row.id), deleted: batch.deleted.map(\.id)),
      except: batch.origin)
    return CommitReceipt(
      inserted: batch.inserted.map(\.id), updatedVersions: batch.updated.map(\.row.version), transaction: nil)
  }

  /// The changes of a batch as changes of this context's objects, which nobody is told of.
  func take(_ batch: ChangeBatch) {
    let born = batch.inserted.map(adopt(inserted:))
    for (id, store) in batch.assigned { object(id)?.ownEdits().assignedStore = store }
    for update in batch.updated { apply(update) }
    for object in born { tellInverses(of: object) }
    for link in batch.links { apply(link) }
    for deletion in batch.deleted { object(deletion.id).map(delete) }
  }

  private func adopt(inserted row: Row) -> NSManagedObject {
    let object = registry.object(row.id) ?? makeFault(row.id)
    guard object.life == .fault else { return object }
    journal?.noteBirth(of: object)
    let page = scratchPage(for: row.layout)
    object.adopt(page, page.append(copyOf: row.page, row.index))
    object.ownEdits().ownsRow = true
    object.life = .inserted
    object.flags = object.flags.intersection(.observed).union(.neverSaved)
    list(object)
    noteEvent(object, .insertedInEvent)
    object.takeCurrentIDs()
    return object
  }

  /// The other ends of a new object's to-one relationships learn of it here.
  private func tellInverses(of object: NSManagedObject) {
    for (slot, property) in object.layout.slots.enumerated() where property.kind == .toOne {
      object.target(slot)?.inverseGained(object, property.inverse)
    }
  }

  private func apply(_ update: RowUpdate) {
    guard let object = object(update.row.id), object.life != .deleted else { return }
    let notice = object.willTellAll()
    defer { notice?.end() }
    object.willEdit()
    for slot in object.layout.slots.indices where update.writes(slot) {
      if object.layout.slots[slot].kind == .toOne {
        object.setTarget(self.object(update.row.page.reference(update.row.index, slot)), slot)
      } else {
        let row = object.writableRow()
        row.page.copySlot(slot, to: row.index, from: update.row.page, update.row.index)
      }
    }
  }

  private func apply(_ change: LinkChange) {
    guard let owner = object(change.owner) else { return }
    if owner.layout.toMany[change.relationship].relationship.isOrdered {
      let leaving = Set(change.removed + change.added)
      let staying = owner.linkedIDs(change.relationship).filter { !leaving.contains($0) }
      return owner.arrangeLinks(change.relationship, as: (staying + change.added).compactMap(object))
    }
    for id in change.removed { object(id).map { owner.unlink($0, change.relationship) } }
    for id in change.added { object(id).map { owner.link($0, change.relationship) } }
  }
}
