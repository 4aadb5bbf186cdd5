import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSupport

/// Merging of others' saves.
extension NSManagedObjectContext {
  /// Enqueues the merge of a commit on the context's queue, in the order of the calls. Commits that arrive while the
  /// context is busy wait as IDs, so that a context that is never idle needs little memory for them.
  package func enqueueMerge(_ changes: ObjectIDChanges) {
    guard mergeQueue.add(changes) else { return }
    enqueue { [reference = ContextReference(self)] in reference.context?.mergeWaitingCommits() }
  }

  private func mergeWaitingCommits() {
    mergeQueue.drain(combining: combinesPendingMerges) { changes in
      if !keepsSnapshot { merge(changes) }
    }
    releaseKept()
  }

  /// Enqueues the merge of commits whose changes are unknown, in the order of the calls: all objects are read again,
  /// and observers check every row.
  package func enqueueUnknownChanges() {
    enqueue { [reference = ContextReference(self)] in reference.context?.mergeUnknownChanges() }
  }

  private func mergeUnknownChanges() {
    // The next attempt reads everything in any case.
    guard !keepsSnapshot, !mergeQueue.willRetryUnknownChanges else { return }
    do {
      merge(try possibleChanges())
    } catch {
      Diagnostics.warnOnce("cannot read what others changed, and tries again every second: \(error)")
      mergeQueue.willRetryUnknownChanges = true
      // Not Dispatch: its timers need a descriptor, which may be what is lacking.
      Thread.detachNewThread { [reference = ContextReference(self)] in
        sleep(1)
        reference.context?.retryUnknownChanges()
      }
    }
  }

  private func retryUnknownChanges() {
    enqueue { [reference = ContextReference(self)] in
      reference.context?.mergeQueue.willRetryUnknownChanges = false
      reference.context?.mergeUnknownChanges()
    }
  }

  private func possibleChanges() throws -> ObjectIDChanges {
    let known = registry.objects().filter { !$0.flags.contains(.neverSaved) }.map(\.rowID)
    let source = try requireSource()
    let there = Set(try source.rows(with: known).rows.map(\.id))
    var changes = ObjectIDChanges(
      updated: known.filter(there.contains), deleted: known.filter { !there.contains($0) })
    for entity in notifier.observedEntities {
      var query = FetchQuery(layout: model.layout(number: entity))
      query.includesSubentities = false
      changes.updated += try source.ids(for: query).filter { !there.contains($0) }
    }
    return changes
  }

  /// Merges a commit. The caller must be on the context's queue.
  package func merge(_ changes: ObjectIDChanges) {
    advanceGeneration()
    guard !changes.isEmpty else { return }
    detachGone()
    // Others' changes must not be undone together with the context's own.
    registerPendingUndo()
    applyDeleteRulesAgain(through: expireLists(changedBy: changes))
    forgetPrefetchedRows(changes)
    applyParentReplacements()
    let inserted = changes.inserted.map(family.replacedIDs.current)
    // A new row that was already read may have been read before a later one of the commits merged together.
    let known = Set(inserted.filter { registry.object($0) != nil })
    // An object that a child inserted, and that its parent saves now, is not new to the child.
    let new = mergeInsertions(parent == nil ? inserted : inserted.filter { !known.contains($0) })
    let updated = changes.updated.map(family.replacedIDs.current)
    let followed = makeKnownIfObserved(updated)
    let refreshed = notifier.notifyingAtEnd {
      defer { mergeDeletions(changes.deleted.map(family.replacedIDs.current)) }
      return mergeUpdates(updated + known) + updateDerivedValues(after: changes)
    }
    withExtendedLifetime(followed) {}
    notifier.isMergeUnreported = true
    endEvent()
    notifier.isMergeUnreported = false
    notifier.postIDs(
      .NSManagedObjectContextDidMergeChangesObjectIDs,
      ObjectIDChanges(inserted: new, updated: changes.updated, deleted: changes.deleted), refreshed: refreshed, of: self
    )
    mergeIntoChildren(changes)
  }

  /// The largest number of new rows that a merge reads together: a program that uses one mostly uses all. Beyond that,
  /// objects stay faults, since reading them would block the queue for long.
  private static let maximumRowsToRead = 1_000

  /// Registers new objects, reports them as inserted, and returns them. A parent is not queried, because a block on its
  /// queue may be waiting for this context.
  ///
  /// An automatic merge reports also a row that a later commit has deleted already: that commit follows, and its merge
  /// reports the object as deleted. Until then, the object has no values. A program that merges on its own may never
  /// merge that commit.
  private func mergeInsertions(_ ids: [RowID]) -> [RowID] {
    let unknown = parent == nil ? ids.filter { registry.object($0) == nil } : []
    var gone = Set<RowID>()
    var held: [NSManagedObject] = []
    if !unknown.isEmpty, unknown.count <= Self.maximumRowsToRead, let rows = try? requireSource().rows(with: unknown) {
      held = register(rows)
      gone = Set(unknown).subtracting(held.map(\.rowID))
    }
    let present = gone.isEmpty || mergeQueue.isMerging ? ids : ids.filter { !gone.contains($0) }
    let new = present.compactMap(object).filter { !$0.flags.contains(.neverSaved) && $0.life != .deleted }
    for object in new where gone.contains(object.rowID) { object.flags.insert(.gone) }
    readTogether(gone.isEmpty ? new : new.filter { !gone.contains($0.rowID) })
    for object in new { noteEvent(object, flags: .insertedInEvent) }
    // Until the end of the block, the program finds them among the registered objects.
    relationships.keep(merged: new)
    withExtendedLifetime(held) {}
    return present
  }

  /// Passes objects to observers, which check whether they match now.
  private func makeKnownIfObserved(_ ids: [RowID]) -> [NSManagedObject] {
    let entities = notifier.observedEntities
    return entities.isEmpty ? [] : ids.filter { entities.contains($0.entity) }.compactMap(object)
  }

  /// Makes registered objects read their rows again, and returns those without changes of their own.
  private func mergeUpdates(_ ids: [RowID]) -> [RowID] {
    let known = ids.compactMap(registry.object).filter { !$0.flags.contains(.neverSaved) }
    refresh(known)
    advanceGeneration()
    var refreshed: [RowID] = []
    for object in known where object.life != .deleted {
      let isClean = object.life != .changed && !object.isTouchedFault
      noteEvent(object, flags: isClean ? .refreshedInEvent : [])
      if isClean { refreshed.append(object.rowID) }
    }
    return refreshed
  }

  /// The rows are already gone: their objects and the links to them go away without becoming changes to save.
  private func mergeDeletions(_ ids: [RowID]) {
    guard !ids.isEmpty else { return }
    let objects = ids.compactMap(registry.object)
    for object in objects { markGone(object) }
    forgetLinks(to: Set(ids))
  }

  /// Removes deleted rows from relationships that were read before. The commit that deleted them mostly names both ends
  /// as changed; a batch request does not.
  private func forgetLinks(to ids: Set<RowID>) {
    let reaching = Set(model.layouts.filter { layout in layout.reaches(anyOf: ids) }.map(\.number))
    guard !reaching.isEmpty else { return }
    var stale: [NSManagedObject] = []
    for object in registry.objects() where reaching.contains(object.layout.number) && object.life != .detached {
      let notice = object.leads(to: ids) ? object.beginNoticeOfAll() : nil
      defer { notice?.end() }
      if object.forgetMembers(ids) { noteEvent(object, flags: object.life.isPending ? [] : .refreshedInEvent) }
      if object.forgetTargets(ids) { stale.append(object) }
    }
    refresh(stale)
    for object in stale { noteEvent(object, flags: .refreshedInEvent) }
  }

  // MARK: Contexts below this one

  /// Notifies child contexts, each on its queue, of changes that reached this one.
  /// - Parameter origin: the context that made the changes.
  func mergeIntoChildren(_ changes: ObjectIDChanges, except origin: ObjectIdentifier? = nil) {
    for child in family.livingChildren() where child.automaticallyMergesChangesFromParent {
      if ObjectIdentifier(child) != origin { child.enqueueMerge(changes) }
    }
  }
}

extension EntityLayout {
  /// Whether a relationship leads to the entity of one of the rows.
  fileprivate func reaches(anyOf ids: Set<RowID>) -> Bool {
    let numbers = Set(ids.map(\.entity))
    let relationships = slots.compactMap(\.relationship) + toMany.map(\.relationship)
    return relationships.contains { !numbers.isDisjoint(with: $0.destination.subtreeNumbers) }
  }
}

extension NSManagedObject {
  /// Whether the object is observed, and a known relationship leads to one of the rows.
  func leads(to ids: Set<RowID>) -> Bool {
    guard flags.contains(.observed), life != .fault else { return false }
    return layout.toMany.indices.contains { edits?.links[$0]?.members?.ids.contains(where: ids.contains) == true }
      || layout.slots.indices.contains { slot in
        layout.slots[slot].kind == .toOne
          && page.map { ids.contains($0.reference(row: rowIndex, slot: slot)) } == true
      }
  }

  /// Removes deleted rows from to-many relationships that were read; returns whether there were any.
  fileprivate func forgetMembers(_ ids: Set<RowID>) -> Bool {
    var found = prefetchCache?.leads(from: self, to: ids) ?? false
    guard let edits else { return found }
    for number in edits.links.indices where edits.links[number]?.forget(ids) == true {
      found = true
      follow(toMany: number) { $0.reload() }
    }
    return found
  }

  /// Clears to-one relationships to deleted rows in the object's own row; returns whether the shared row refers to one,
  /// and must be read again.
  fileprivate func forgetTargets(_ ids: Set<RowID>) -> Bool {
    guard let page else { return false }
    var isStale = false
    for slot in layout.slots.indices
    where layout.slots[slot].kind == .toOne && ids.contains(page.reference(row: rowIndex, slot: slot)) {
      if ownsRow { page.setNil(row: rowIndex, slot: slot) } else { isStale = true }
    }
    return isStale
  }
}
