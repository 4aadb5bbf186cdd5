import StrataManagedModel
import StrataRowStore

/// Derived values that commits change in rows that they do not write. Such a row keeps its version, and no history names
/// it.
extension NSManagedObjectContext {
  /// Gives objects the derived values that a commit changed, and notes them as refreshed. Those that the commit wrote
  /// are up to date already.
  /// - Returns: the objects without unsaved changes that have new values.
  @discardableResult
  func updateDerivedValues(after changes: ObjectIDChanges) -> [RowID] {
    guard model.hasRemoteDerivations else { return [] }
    let readers = DerivationReaders(of: changes, in: model)
    guard !readers.isEmpty else { return [] }
    forgetPrefetched(of: readers)
    let known = readers.areNamed ? readers.owners.compactMap(registry.object) : registry.objects()
    let concerned = known.filter { $0.hasStoredValues && readers.contains($0) }
    var changed = mayAskSource ? withNewDerivedValues(concerned) : refreshed(concerned)
    changed += observedFaults(of: readers)
    var ids: [RowID] = []
    for object in changed {
      let isClean = object.life != .changed && object.life != .deleted && !object.isTouchedFault
      noteEvent(object, flags: isClean ? .refreshedInEvent : [])
      if isClean { ids.append(object.rowID) }
    }
    return ids
  }

  /// Whether the source can be read: a block on a parent's queue may be waiting for this context.
  private var mayAskSource: Bool {
    !mergeQueue.isMerging || parent == nil || concurrencyType != .privateQueueConcurrencyType
  }

  /// Reads the rows of objects, and returns the objects that have other derived values now.
  private func withNewDerivedValues(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    guard !objects.isEmpty else { return [] }
    // Rows that cannot be read now are read, and fail, when the program reads a value.
    guard let rows = try? requireSource().rows(with: objects.map(\.rowID)) else { return refreshed(objects) }
    var changed: [NSManagedObject] = []
    var outdated: [NSManagedObject] = []
    rows.forEach { page, index in
      let row = Row(page: page, index: index)
      guard let object = registry.object(page.id(index)), object.derivedValuesDiffer(from: row) else { return }
      // Another commit may have changed more of the row.
      if object.life == .clean, object.committedRow?.version == row.version {
        if object.applyTriggeredRow(row) { changed.append(object) }
      } else {
        outdated.append(object)
      }
    }
    return changed + refreshed(outdated)
  }

  private func refreshed(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    if !objects.isEmpty { refresh(objects) }
    return objects
  }

  private func forgetPrefetched(of readers: DerivationReaders) {
    let prefetchCaches = relationships.livingPrefetchCaches()
    guard !prefetchCaches.isEmpty else { return }
    let entities = readers.readers
    for rows in prefetchCaches { rows.forgetRows(of: entities) }
  }

  /// Returns faults without rows that an observer of the context may have to show now.
  private func observedFaults(of readers: DerivationReaders) -> [NSManagedObject] {
    let observers = notifier.livingObservers
    guard !observers.isEmpty, mayAskSource else { return [] }
    let observed = notifier.observedEntities.intersection(readers.readers)
    guard !observed.isEmpty else { return [] }
    var ids = readers.owners.filter { observed.contains($0.entity) }
    if !readers.areNamed {
      ids.formUnion(registry.objects().filter { observed.contains($0.layout.number) && $0.waitsForRow }.map(\.rowID))
      for observer in observers where !observer.observedEntities.isDisjoint(with: observed) {
        guard let query = observer.observedQuery, let found = try? requireSource().ids(for: query) else { continue }
        ids.formUnion(found)
      }
    }
    return ids.compactMap(object).filter { $0.waitsForRow && !$0.flags.contains(.gone) }
  }
}

extension NSManagedObject {
  /// Whether the object has read values of a stored row.
  fileprivate var hasStoredValues: Bool {
    life != .detached && !flags.contains(.neverSaved) && !flags.contains(.gone) && committedRow != nil
  }

  fileprivate func derivedValuesDiffer(from fresh: Row) -> Bool {
    guard let row = committedRow else { return false }
    return layout.derivedSlots.contains {
      !row.page.isEqual(row: row.index, slot: $0, to: fresh.page, row: fresh.index)
    }
  }
}
