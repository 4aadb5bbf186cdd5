import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// A context as the source of its children: it returns its own objects, unsaved changes included, and a child's save
/// becomes changes of this context.
final class ParentSource: ObjectSource, @unchecked Sendable {
  // Sendable: its properties are constant. It is called on the child's queue, and uses the parent's state on the parent's
  // queue (`ask`).

  let parent: NSManagedObjectContext
  // The child owns this source, and uses it only on its own queue.
  private unowned(unsafe) let child: NSManagedObjectContext

  init(_ parent: NSManagedObjectContext, of child: NSManagedObjectContext) {
    self.parent = parent
    self.child = child
  }

  /// Runs `question` on the parent's queue. The result contains permanent IDs that objects received since the
  /// last question; the child learns them before it sees the result.
  private func ask<Answer>(_ question: () throws -> Answer) rethrows -> Answer {
    defer { child.applyParentReplacements() }
    return try parent.wait {
      parent.applyParentReplacements()
      return try question()
    }
  }

  var model: NSManagedObjectModel { parent.model }

  func store(number: Int) -> StoreIdentity? { parent.source?.store(number: number) }
  func store(uuid: String) -> StoreIdentity? { parent.source?.store(uuid: uuid) }

  /// A child context reads what its parent reads.
  func pinned() throws -> (any ObjectSource)? { nil }

  func attach(_ context: NSManagedObjectContext) {
    parent.wait { parent.family.addChild(context) }
  }

  /// Forgets a context that got another parent, and what this one wanted it to merge.
  func detach(_ context: NSManagedObjectContext) {
    parent.wait { parent.family.removeChild(context) }
    context.mergeQueue.removeAll()
  }

  func rows(for query: FetchQuery) throws -> RowList {
    try ask {
      let objects = try parentObjects(for: query)
      return try parent.throwingFailedReads { RowList(rows: objects.compactMap(\.sharedRow)) }
    }
  }

  func ids(for query: FetchQuery) throws -> [RowID] {
    try ask { try parentObjects(for: query).map(\.rowID) }
  }

  func count(for query: FetchQuery) throws -> Int {
    try ask { try parentObjects(for: query).count }
  }

  /// Like everywhere, values come from the store alone, without unsaved changes.
  func values(for query: AggregateQuery) throws -> ValueTable {
    try ask {
      var query = query
      query.rows.filter = query.rows.filter.map(currentRows)
      query.having = query.having.map(currentRows)
      return try parent.requireSource().values(for: query)
    }
  }

  func rows(with ids: [RowID]) throws -> RowList {
    try ask {
      let objects = ids.compactMap(parent.object)
      // An object with a temporary ID that was inserted above the parent has a row there.
      let unread = objects.filter { $0.waitsForRow && (parent.parent != nil || !$0.rowID.isTemporary) }
      if !unread.isEmpty {
        _ = parent.register(try parent.requireSource().rows(with: unread.map(\.rowID)))
      }
      // A fault without a row here has none in the store either: it is skipped, not fired.
      return try parent.throwingFailedReads {
        RowList(rows: objects.filter { $0.page != nil && $0.life != .deleted }.compactMap(\.sharedRow))
      }
    }
  }

  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try ask { try parent.throwingFailedReads { parent.object(owner)?.linkedIDs(relationship) ?? [] } }
  }

  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try ask {
      let objects = owners.compactMap(parent.object)
      parent.readLinks(relationship, of: objects)
      let lists = MemberLists(of: objects.map(\.rowID))
      try parent.throwingFailedReads {
        for owner in lists.owners { lists.append(parent.object(owner)?.linkedIDs(relationship) ?? []) }
      }
      return withExtendedLifetime(objects) { lists }
    }
  }

  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? {
    try parent.wait { try parent.requireSource().reserveIDs(for: entities) }
  }

  /// Objects that the parent already has get their IDs there, so that both use the same ones.
  func permanentIDs(for batch: ChangeBatch) throws -> [RowID]? {
    try ask {
      let current = batch.inserted.map { parent.family.replacedIDs.current($0.id) }
      let known = current.map(parent.registry.object)
      try parent.givePermanentIDs(to: known.compactMap { $0 })
      // A saved object has its ID, whether or not the object still exists.
      func isNew(_ index: Int) -> Bool { known[index] == nil && current[index].isTemporary }
      var rest = batch
      rest.inserted = batch.inserted.indices.filter(isNew).map { batch.inserted[$0] }
      guard var new = try parent.requireSource().permanentIDs(for: rest)?.makeIterator() else { return nil }
      return current.indices.map { isNew($0) ? new.next() ?? .none : known[$0]?.rowID ?? current[$0] }
    }
  }

  /// Whether the parent has an object that it deletes with its next save.
  func isDeleted(_ id: RowID) -> Bool {
    ask { parent.registry.object(parent.family.replacedIDs.current(id))?.life == .deleted }
  }

  func commit(_ batch: ChangeBatch) throws -> CommitReceipt {
    // A parent has no versions to check, and no metadata.
    if batch.isEmpty { return CommitReceipt() }
    nonisolated(unsafe) let values = child.objectValues(of: batch)
    return try ask {
      try parent.refuseSaveAfterFaultFailure()
      // An object that cannot be read cannot be changed. A repeated save makes the same changes again.
      return try parent.throwingFailedReads {
        try parent.requireReadable(batch)
        return parent.apply(batch, values: values)
      }
    }
  }

  /// Batch requests and other requests skip the contexts between: they go to the coordinator. As for a save, the
  /// history records the root context.
  func execute(_ change: BulkChange) throws -> BulkReceipt {
    var change = change
    let source = try parent.wait {
      (change.author, change.contextName) = (parent.transactionAuthor, parent.name)
      return try parent.requireSource()
    }
    return try source.execute(change)
  }

  func execute(
    _ request: NSPersistentStoreRequest, for context: NSManagedObjectContext
  ) throws -> NSPersistentStoreResult {
    try parent.wait { try parent.requireSource() }.execute(request, for: context)
  }

  private func parentObjects(for query: FetchQuery) throws -> [NSManagedObject] {
    parent.applyDeleteRules()
    var query = query
    query.filter = query.filter.map(currentRows)
    return try FetchOverlay(context: parent, query: query).objects()
  }

  /// Replaces temporary IDs in a predicate, which may refer to objects by their IDs from before they were saved.
  private func currentRows(_ filter: PredicateNode) -> PredicateNode {
    filter.mappingValues { value in
      guard case .row(let bits) = value else { return value }
      return .row(parent.family.replacedIDs.current(RowID(bits: bits)).bits)
    }
  }
}

extension NSManagedObject {
  /// Returns the object's row for a child context: shared if it is unchanged, otherwise a copy. Transient values are
  /// excluded, because each object computes its own.
  var sharedRow: Row? {
    materialize()
    guard page != nil, life != .deleted || !flags.contains(.inaccessible) else { return nil }
    return (ownsRow ? row.copy() : row).storedPart
  }
}

extension NSManagedObject {
  /// Replaces temporary IDs: a child may still use IDs from before a save.
  fileprivate func applyReplacedIDs() {
    guard let context, let page, context.family.replacedIDs.end > 0 else { return }
    for slot in layout.slots.indices where layout.slots[slot].kind == .toOne {
      let id = page.reference(row: rowIndex, slot: slot)
      if id.isTemporary { page.setReference(context.family.replacedIDs.current(id), row: rowIndex, slot: slot) }
    }
  }
}

extension NSManagedObjectContext {
  /// Reads the objects whose rows a child's save changes.
  /// - Throws: the error of the first that cannot be read.
  fileprivate func requireReadable(_ batch: ChangeBatch) throws {
    let count = failedReads
    for update in batch.updated { object(update.row.id)?.materialize() }
    let new = Set(batch.inserted.map(\.id))
    for link in batch.links where !new.contains(link.owner) { object(link.owner)?.resolveLinks(link.relationship) }
    if failedReads != count, let error = failures.collected?.error { throw error }
  }

  /// Applies a child's save as changes of this context. New objects are new here too, under the same temporary IDs.
  /// - Parameter values: the values of transient attributes, which are in no row.
  func apply(_ batch: ChangeBatch, values: [(object: RowID, values: [Int: Any])]) -> CommitReceipt {
    notifier.notifyingAtEnd {
      applyRows(of: batch)
      applyValues(values)
    }
    endEvent()
    mergeIntoChildren(
      ObjectIDChanges(
        inserted: batch.inserted.map(\.id), updated: batch.updated.map(\.row.id), deleted: batch.deleted.map(\.id),
        // The store has yet to derive anything.
        derivationInputs: DerivationInputs()),
      except: batch.origin)
    return CommitReceipt(
      inserted: batch.inserted.map(\.id), updatedVersions: batch.updated.map(\.row.version), transaction: nil)
  }

  /// Applies the changes of a batch to this context's objects without notifications.
  func applyRows(of batch: ChangeBatch) {
    let born = batch.inserted.map(insertRow)
    for (id, store) in batch.assigned { object(id)?.ownEdits().assignedStore = store }
    for update in batch.updated { apply(update) }
    for object in born { updateInverses(of: object) }
    for link in batch.links { apply(link) }
    for deletion in batch.deleted { object(deletion.id).map(delete) }
  }

  private func insertRow(_ row: Row) -> NSManagedObject {
    let object = registry.object(row.id) ?? makeFault(row.id)
    guard object.life == .fault else { return object }
    journal?.noteBirth(of: object)
    let page = tracker.unsavedRows.page(for: row.layout)
    object.use(page, row: page.append(copyOf: row.page, row.index))
    object.markRowAsOwn()
    object.life = .inserted
    object.flags = object.flags.intersection(.observed).union(.neverSaved)
    tracker.track(object)
    noteEvent(object, flags: .insertedInEvent)
    object.applyReplacedIDs()
    return object
  }

  /// Updates the other ends of a new object's to-one relationships.
  private func updateInverses(of object: NSManagedObject) {
    for (slot, property) in object.layout.slots.enumerated() where property.kind == .toOne {
      object.target(slot)?.inverseGained(object, at: property.inverse)
    }
  }

  private func apply(_ update: RowUpdate) {
    guard let object = object(update.row.id), object.life != .deleted else { return }
    let notice = object.beginNoticeOfAll()
    defer { notice?.end() }
    object.willEdit()
    for slot in object.layout.slots.indices where update.writes(slot) {
      if object.layout.slots[slot].kind == .toOne {
        object.setTarget(self.object(update.row.page.reference(row: update.row.index, slot: slot)), slot: slot)
      } else {
        let row = object.writableRow()
        row.page.copySlot(slot, to: row.index, from: update.row.page, row: update.row.index)
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
    for id in change.removed { object(id).map { owner.unlink($0, toMany: change.relationship) } }
    for id in change.added { object(id).map { owner.link($0, toMany: change.relationship) } }
  }
}
