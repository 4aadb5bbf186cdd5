import Foundation
import StrataManagedModel
import StrataRowStore

extension NSManagedObjectContext {
  func refault(_ object: NSManagedObject, mergeChanges flag: Bool) {
    checkQueue("refresh(_:mergeChanges:)")
    applyParentReplacements()
    guard object.context === self, !flag || object.life != .inserted, !object.flags.contains(.gone) else { return }
    notifier.notifyingAtEnd {
      if flag {
        refresh([object])
      } else {
        forgetPrefetched(of: [object])
        tracker.untrack(object)
        object.flags.remove(.insertedInEvent)
        object.turnIntoFault()
      }
      noteEvent(object, flags: .refreshedInEvent)
    }
  }

  func refaultAll() {
    checkQueue("refreshAllObjects()")
    detachGone()
    applyParentReplacements()
    // Values that are still known are better than faults that cannot be read.
    guard recoverFaults() else { return }
    let objects = registry.objects().filter { $0.life != .inserted && !$0.flags.contains(.gone) }
    notifier.notifyingAtEnd {
      refresh(objects)
      for object in objects { noteEvent(object, flags: .refreshedInEvent) }
    }
  }

  /// Turns unchanged objects into faults that read their rows together when one fires, and applies the changes of the
  /// others on top of their new rows.
  func refresh(_ objects: [NSManagedObject]) {
    registerPendingUndo()
    forgetPrefetched(of: objects)
    var edited: [NSManagedObject] = []
    for object in objects {
      switch object.life {
      case .fault:
        let notice = object.beginNoticeOfAll()
        object.dropRow()
        object.forgetUnchangedLinks()
        notice?.end()
      case .clean: object.turnIntoFault()
      case .changed, .deleted: edited.append(object)
      case .inserted, .detached: break
      }
    }
    readTogether(objects)
    // A block on the parent's queue may be waiting for this context, so the parent is not queried before a block of the
    // program runs here.
    guard mergeQueue.isMerging, parent != nil, concurrencyType == .privateQueueConcurrencyType else {
      return rebase(edited)
    }
    tracker.addOutdated(edited)
  }

  /// Reads the rows of objects with unsaved changes in one query. Objects whose rows are gone, or cannot be read now,
  /// keep their values: a save checks their versions.
  private func rebase(_ objects: [NSManagedObject]) {
    guard !objects.isEmpty, let rows = try? requireSource().rows(with: objects.map(\.rowID)) else { return }
    rows.forEach { page, index in
      guard let object = registry.object(page.id(index)), object.life.isPending else { return }
      if object.flags.contains(.inaccessible) { return reappear(object) }
      object.rebase(onto: Row(page: page, index: index))
      withoutChangeTracking { object.awake(fromSnapshotEvents: .refresh) }
    }
  }

  /// Turns an object into a fault again whose row was missing and exists now: its parent undid the deletion.
  private func reappear(_ object: NSManagedObject) {
    tracker.untrack(object)
    object.turnIntoFault()
  }

  /// Applies unsaved changes on top of the rows that merges found changed.
  @inline(never)
  func rebaseOutdated() {
    let objects = tracker.takeOutdated().filter { $0.context === self && ($0.life == .changed || $0.life == .deleted) }
    notifier.notifyingAtEnd {
      rebase(objects)
      for object in objects { noteEvent(object, flags: []) }
    }
    endEvent()
  }

  func discardChanges() {
    checkQueue("rollback()")
    endEvent()
    let before = tracker.discard()
    failures.recover()
    notifier.notifyingAtEnd {
      for object in before.tracked {
        object.flags.remove([.tracked, .propagated])
        // A new object is gone, for observers that were notified of it.
        if object.life == .inserted || (object.life == .deleted && object.flags.contains(.neverSaved)) {
          markGone(object)
          continue
        }
        object.revert()
        if object.life == .clean { withoutChangeTracking { object.awake(fromSnapshotEvents: .rollback) } }
        noteEvent(object, flags: .refreshedInEvent)
      }
    }
    withExtendedLifetime(before) {}
    endEvent()
    detachGone()
    forgetUndo()
  }

  func forgetAll() {
    checkQueue("reset()")
    let objects = registry.objects()
    let ids = objects.map(\.objectID)
    let before = tracker.reset()
    failures.recover()
    family.replacedIDs.forget()
    expireAllLists()
    releaseKept()
    for object in objects { object.abandon() }
    withExtendedLifetime(before) {}
    forgetUndo()
    advanceGeneration()
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: [NSInvalidatedAllObjectsKey: ids])
  }
}

extension NSManagedObject {
  /// Replaces the committed row by a newer one, keeping the object's unsaved changes on top.
  func rebase(onto fresh: Row) {
    let notice = beginNoticeOfAll()
    defer { notice?.end() }
    guard let edits, let snapshot = edits.snapshot, edits.ownsRow else {
      let fresh = page == nil ? fresh : fresh.keepingTransients(of: row)
      use(fresh.page, row: fresh.index)
      edits?.snapshot = nil
      forgetUnchangedLinks()
      return
    }
    let own = row
    for slot in layout.slots.indices
    where !layout.slots[slot].isTransient
      && own.page.isEqual(row: own.index, slot: slot, to: snapshot.page, row: snapshot.index)
    {
      own.page.copySlot(slot, to: own.index, from: fresh.page, row: fresh.index)
    }
    own.page.setVersion(fresh.version, row: own.index)
    edits.snapshot = fresh.keepingTransients(of: snapshot)
    forgetUnchangedLinks()
  }

  /// Makes to-many relationships read again, except transient ones; changes to them are kept.
  func forgetUnchangedLinks() {
    prefetchCache = nil
    guard let edits else { return }
    edits.fetched = nil
    // Live sets read the members again too.
    edits.liveOrders = nil
    for number in edits.links.indices where !layout.transientToMany.contains(number) {
      if edits.links[number]?.isChanged == true {
        edits.links[number]?.forgetMembers()
      } else {
        edits.links[number] = nil
      }
    }
    if !edits.ownsRow, edits.objects.isEmpty, edits.links.allSatisfy({ $0 == nil }) { self.edits = nil }
  }

  /// Reverts to the values last read or saved.
  func revert() {
    let notice = beginNoticeOfAll()
    defer { notice?.end() }
    switch life {
    case .changed, .deleted:
      if let snapshot = edits?.snapshot { use(snapshot.page, row: snapshot.index) }
      revertEdits()
      life = page == nil || flags.contains(.inaccessible) ? .fault : .clean
      if life == .fault { dropRow() }
      flags.remove([.inaccessible, .deletedUnread])
    case .fault: edits = nil
    case .detached, .inserted, .clean: break
    }
  }
}

extension NSManagedObjectContext {
  /// Whether a row is older than the staleness interval allows.
  func isStale(_ page: RowPage) -> Bool {
    stalenessInterval >= 0 && Double(RowPage.now - page.madeAt) > stalenessInterval * 1e9
  }
}
