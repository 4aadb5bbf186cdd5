import Foundation
import StrataManagedModel
import StrataRowStore

/// Taking over what others saved.
extension NSManagedObjectContext {
  /// Takes over a commit of somebody else, on the context's queue and in the order of the calls. Commits that come
  /// while the context is busy wait together, so that a context that is never idle costs memory for ids alone.
  package func enqueueMerge(_ changes: ObjectIDChanges) {
    let isFirst = mailbox.withLock { waiting in
      waiting.append(changes)
      return waiting.count == 1
    }
    guard isFirst else { return }
    enqueue { [reference = ContextReference(self)] in reference.context?.mergeMailbox() }
  }

  private func mergeMailbox() {
    let waiting = mailbox.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    guard !keepsItsMoment else { return }
    mergesByItself = true
    merge(ObjectIDChanges(inOrder: waiting))
    mergesByItself = false
  }

  /// Takes over commits of which nothing is known but that there were some, on the context's queue and in the order of
  /// the calls: all objects are read anew, and followers look at every row.
  package func enqueueUnknownChanges() {
    enqueue { [reference = ContextReference(self)] in
      guard let context = reference.context, !context.keepsItsMoment else { return }
      // A store that cannot be read says so to whoever reads it next.
      if let changes = try? context.possibleChanges() { context.merge(changes) }
    }
  }

  private func possibleChanges() throws -> ObjectIDChanges {
    let known = registry.objects().filter { !$0.flags.contains(.neverSaved) }.map(\.rowID)
    let source = try requireSource()
    let there = Set(try source.rows(with: known).rows.map(\.id))
    var changes = ObjectIDChanges(
      updated: known.filter(there.contains), deleted: known.filter { !there.contains($0) })
    for entity in followedEntities {
      var plan = FetchQuery(layout: model.layout(number: entity))
      plan.includesSubentities = false
      changes.updated += try source.ids(for: plan).filter { !there.contains($0) }
    }
    return changes
  }

  /// Takes over a commit of somebody else. On the context's queue.
  package func merge(_ changes: ObjectIDChanges) {
    advanceGeneration()
    guard !changes.isEmpty else { return }
    letGo()
    // What others changed is not to be undone with the changes of this context.
    registerPendingUndo()
    forgetReadAhead(changes)
    takeIDsFromAbove()
    let inserted = changes.inserted.map(retiredIDs.current)
    // Who read a new row already may have read it before a later one of the commits that are merged together.
    let known = Set(inserted.filter { registry.object($0) != nil })
    // What a child inserted and its parent saves now is not new to the child.
    let new = takeInsertions(parent == nil ? inserted : inserted.filter { !known.contains($0) })
    let updated = changes.updated.map(retiredIDs.current)
    let followed = makeKnownIfFollowed(updated)
    let refreshed = tellingAtEnd {
      defer { takeDeletions(changes.deleted.map(retiredIDs.current)) }
      return takeUpdates(updated + known)
    }
    withExtendedLifetime(followed) {}
    tellsOfMerge = true
    processPendingChanges()
    tellsOfMerge = false
    post(
      ObjectIDChanges(inserted: new, updated: changes.updated, deleted: changes.deleted), refreshed: refreshed,
      as: .NSManagedObjectContextDidMergeChangesObjectIDs)
    tellChildren(changes)
  }

  /// Up to so many new rows are read at once when they are merged: who looks at one mostly looks at all. Of more the
  /// objects stay faults without a row, since reading them would keep the queue busy for long.
  private static let mostRowsToRead = 1_000

  /// Makes new objects known, and answers which are there: what was deleted since is not. A parent is not asked, since a
  /// block on its queue may wait for this context.
  private func takeInsertions(_ ids: [RowID]) -> [RowID] {
    let unknown = parent == nil ? ids.filter { registry.object($0) == nil } : []
    var gone = Set<RowID>()
    var held: [NSManagedObject] = []
    if !unknown.isEmpty, unknown.count <= Self.mostRowsToRead, let rows = try? requireSource().rows(with: unknown) {
      held = register(rows)
      gone = Set(unknown).subtracting(held.map(\.rowID))
    }
    let present = ids.filter { !gone.contains($0) }
    let new = present.compactMap(object).filter { !$0.flags.contains(.neverSaved) && $0.life != .deleted }
    readTogether(new)
    for object in new { noteEvent(object, .insertedInEvent) }
    withExtendedLifetime(held) {}
    return present
  }

  /// Makes objects known to followers, which look whether they fit now.
  private func makeKnownIfFollowed(_ ids: [RowID]) -> [NSManagedObject] {
    followers.removeAll { $0.follower == nil }
    let entities = followedEntities
    return entities.isEmpty ? [] : ids.filter { entities.contains($0.entity) }.compactMap(object)
  }

  /// Makes known objects look at their rows anew, and answers those without changes of their own.
  private func takeUpdates(_ ids: [RowID]) -> [RowID] {
    let known = ids.compactMap(registry.object).filter { !$0.flags.contains(.neverSaved) }
    refresh(known)
    advanceGeneration()
    var refreshed: [RowID] = []
    for object in known where object.life != .deleted {
      let isClean = object.life != .changed && !object.isTouchedFault
      noteEvent(object, isClean ? .refreshedInEvent : [])
      if isClean { refreshed.append(object.rowID) }
    }
    return refreshed
  }

  /// The rows are gone already: their objects leave without being something to save, and so do links to them.
  private func takeDeletions(_ ids: [RowID]) {
    guard !ids.isEmpty else { return }
    let objects = ids.compactMap(registry.object)
    for object in objects { depart(object) }
    forgetLinks(to: Set(ids))
  }

  /// Takes rows that are gone out of relationships that were read before. The commit that deleted them mostly names
  /// both ends as changed; a batch request does not.
  private func forgetLinks(to ids: Set<RowID>) {
    let reaching = Set(model.layouts.filter { layout in layout.reaches(anyOf: ids) }.map(\.number))
    guard !reaching.isEmpty else { return }
    var stale: [NSManagedObject] = []
    for object in registry.objects() where reaching.contains(object.layout.number) && object.life != .detached {
      let notice = object.leads(to: ids) ? object.willTellAll() : nil
      defer { notice?.end() }
      if object.forgetMembers(ids) { noteEvent(object, object.life.isPending ? [] : .refreshedInEvent) }
      if object.forgetTargets(ids) { stale.append(object) }
    }
    refresh(stale)
    for object in stale { noteEvent(object, .refreshedInEvent) }
  }

  // MARK: Contexts below this one

  /// Tells the contexts below, each on its queue, of changes that reached this one.
  /// - Parameter origin: the one that made the changes.
  func tellChildren(_ changes: ObjectIDChanges, except origin: ObjectIdentifier? = nil) {
    guard !children.isEmpty else { return }
    children.removeAll { $0.context == nil }
    for child in children.compactMap(\.context) where child.automaticallyMergesChangesFromParent {
      if ObjectIdentifier(child) != origin { child.enqueueMerge(changes) }
    }
  }
}

extension EntityLayout {
  /// Whether a relationship leads to the entity of one of the rows.
  fileprivate func reaches(anyOf ids: Set<RowID>) -> Bool {
    let numbers = Set(ids.map(\.entity))
    let destinations =
      slots.compactMap(\.relationship?.destinationEntity) + toMany.compactMap(\.relationship.destinationEntity)
    return destinations.contains { $0.layout.map { !numbers.isDisjoint(with: $0.familyNumbers) } ?? false }
  }
}

extension NSManagedObject {
  /// Whether somebody observes the object, and one of the rows is at the other end of a relationship as far as it is known.
  fileprivate func leads(to ids: Set<RowID>) -> Bool {
    guard flags.contains(.observed), life != .fault else { return false }
    return layout.toMany.indices.contains { edits?.links[$0]?.members?.ids.contains(where: ids.contains) == true }
      || layout.slots.indices.contains { slot in
        layout.slots[slot].kind == .toOne && page.map { ids.contains($0.reference(Int(rowIndex), slot)) } == true
      }
  }

  /// Takes rows that are gone out of the to-many relationships that were read; answers whether there were any.
  fileprivate func forgetMembers(_ ids: Set<RowID>) -> Bool {
    if let readAhead, readAhead.leads(from: self, to: ids) { keepLinksReadAhead() }
    guard let edits else { return false }
    var found = false
    for number in edits.links.indices where edits.links[number]?.forget(ids) == true {
      found = true
      follow(number) { $0.reload() }
    }
    return found
  }

  /// Empties to-one relationships to rows that are gone in the object's own row; answers whether the row that it reads
  /// leads to one, and is to be read anew.
  fileprivate func forgetTargets(_ ids: Set<RowID>) -> Bool {
    guard let page else { return false }
    var isStale = false
    for slot in layout.slots.indices
    where layout.slots[slot].kind == .toOne && ids.contains(page.reference(Int(rowIndex), slot)) {
      if edits?.ownsRow == true { page.setNil(Int(rowIndex), slot) } else { isStale = true }
    }
    return isStale
  }
}
