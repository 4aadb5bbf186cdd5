import Foundation
import StrataManagedModel
import StrataRowStore

extension NSManagedObjectContext {
  func commitChanges() throws {
    checkQueue("save()")
    try refuseSaveAfterFaultFailure()
    letGo()
    let isClean = !hasPendingChanges
    if isClean { notifier.postWillSave(of: self) }
    // Observers of a save without changes may still make some.
    guard hasPendingChanges else {
      try commitMetadata(alone: true)
      return notifier.postDidSaveNothing(of: self)
    }
    let reported = try collectChanges()
    try callWillSave()
    if !isClean { notifier.postWillSave(of: self) }
    try validate()  // 4: rules
    var (pending, receipt) = try commitResolvingConflicts()
    advanceGeneration()
    adopt(receipt, for: pending)
    let ids = pending.changes(receipt)
    // The rows are not needed any more, and the notifications take memory.
    pending.batch = ChangeBatch()
    announce(pending, ids, receipt, after: reported)
    letGo()
    // For stores that received no rows.
    try commitMetadata(alone: false)
  }

  // 1 and 2: what there is to save

  /// Ends the event, applies the delete rules, and reads the rows of objects that changed while they were faults.
  /// - Returns: the changes that the event reported, unless they are so many that the sets would take more memory during
  ///   the save than they save time after it.
  private func collectChanges() throws -> ReportedChanges? {
    guard source != nil else {
      _ = try requireSource()
      return nil
    }
    let reported = endEvent()
    propagateDeletes()
    try readTouchedFaults()
    return reported.flatMap { $0.count <= Self.maximumReused ? $0 : nil }
  }

  /// The number of objects up to which a save keeps the event's sets for its own notification.
  private static let maximumReused = 10_000

  /// - Throws: also the error of a fault that could not be read since the save began.
  func readTouchedFaults() throws {
    try refuseSaveAfterFaultFailure()
    guard tracker.tracked.containsHeld(where: { $0.isTouchedFault }) else { return }
    let faults = tracker.tracked.filter(\.isTouchedFault)
    let unread = faults.filter { $0.page == nil }.map(\.rowID)
    if !unread.isEmpty {
      try storeErrors { try requireSource().rows(with: unread) }.forEach { page, index in
        registry.object(page.id(index))?.adopt(page, row: index)
      }
    }
    for object in faults {
      // A deleted row cannot be updated; the store's history reports the deletion.
      guard object.page != nil else {
        object.edits = nil
        continue
      }
      object.life = .changed
      if !object.layout.transientDefaults.isEmpty { object.applyTransientDefaults(in: self) }
      withoutChangeTracking { object.awakeFromFetch() }
    }
  }

  // 3: hooks that may change more

  /// The largest number of rounds of `willSave`; Apple's framework gives up at 1,000 too.
  private static let mostRounds = 1_000

  private func callWillSave() throws {
    // Usually all objects are pending.
    let tracked = tracker.tracked
    var round = tracked.containsHeld { !$0.life.isPending } ? tracked.filter { $0.life.isPending } : tracked
    var rounds = 0
    while !round.isEmpty {
      guard rounds < Self.mostRounds else {
        throw CocoaError.coreData(
          .save, "willSave keeps changing objects after \(rounds) rounds: \(round.prefix(3).map(\.objectID)).")
      }
      round.forEachHeld { $0.willSave() }
      let changed = tracker.event
      endEvent()
      propagateDeletes()
      // A fault that was changed is pending only after this, and has its turn in the next round.
      try readTouchedFaults()
      round = changed.isEmpty ? [] : changed.filter { $0.life.isPending }
      rounds += 1
    }
  }

  // 5 and 6: the batch, and its commit

  func commit(_ pending: PendingSave) throws -> CommitReceipt {
    try refuseSaveAfterFaultFailure()
    guard !pending.batch.isEmpty else { return CommitReceipt(inserted: [], updatedVersions: [], transaction: nil) }
    return try requireSource().commit(pending.batch)
  }

  private func commitMetadata(alone: Bool) throws {
    if let source { try storeErrors { try source.commitMetadata(alone: alone) } }
  }

  // 7: mark the changes as saved

  private func adopt(_ receipt: CommitReceipt, for pending: PendingSave) {
    expireLists(changedBy: pending.batch)
    adoptIDsAndVersions(receipt, for: pending)
    var saved = tracker.takeSaved()
    saved.forEachHeld { $0.markSaved() }
    tracker.reclaim(saved: &saved)
    adoptTriggeredRows(receipt)
    adoptDerivedValues(receipt, for: pending)
  }

  private func adoptIDsAndVersions(_ receipt: CommitReceipt, for pending: PendingSave) {
    renumber(pending.inserted, as: receipt.inserted)
    pending.inserted.forEachHeld { $0.page?.setVersion(1, row: $0.rowIndex) }
    for (object, version) in zip(pending.inserted, receipt.insertedVersions ?? []) { object.adoptVersion(version) }
    for (object, version) in zip(pending.updated, receipt.updatedVersions) { object.adoptVersion(version) }
  }

  /// Marks what some of several stores have written as saved; the rest stays unsaved.
  func adopt(_ commit: PartialCommit, of pending: PendingSave) {
    let (done, receipt) = pending.part(of: commit)
    expireLists(changedBy: done.batch)
    adoptIDsAndVersions(receipt, for: done)
    for object in done.all {
      object.leaveScratchPage()
      object.markSaved()
    }
    tracker.removeUntracked()
    adoptTriggeredRows(receipt)
    adoptDerivedValues(receipt, for: done)
    announce(done, done.changes(receipt), receipt)
  }

  /// Adopts rows as a store's triggers left them, and removes those that they deleted.
  private func adoptTriggeredRows(_ receipt: CommitReceipt) {
    guard !receipt.triggered.isEmpty else { return }
    expireLists(changedBy: ObjectIDChanges(updated: receipt.triggered))
    var gone = Set(receipt.triggered)
    receipt.triggeredRows.forEach { page, index in
      gone.remove(page.id(index))
      guard let object = registry.object(page.id(index)), object.adoptTriggeredRow(Row(page: page, index: index))
      else { return }
      noteEvent(object, flags: .refreshedInEvent)
    }
    for object in gone.compactMap(registry.object) { depart(object) }
  }

  /// A parent context derives nothing.
  private func adoptDerivedValues(_ receipt: CommitReceipt, for pending: PendingSave) {
    guard parent == nil, model.hasRemoteDerivations else { return }
    adoptDerivedValues(after: pending.changes(receipt))
  }

  // 8: notify

  private func announce(
    _ pending: PendingSave, _ ids: ObjectIDChanges, _ receipt: CommitReceipt, after reported: ReportedChanges? = nil
  ) {
    forgetRowsReadAhead(ids)
    pending.inserted.forEachHeld { $0.didSave() }
    pending.updated.forEachHeld { $0.didSave() }
    pending.deleted.forEachHeld { $0.didSave() }
    notifier.postDidSave(.of(pending, after: reported), changeToken: source?.historyToken(of: receipt), of: self)
    notifier.postIDs(.NSManagedObjectContextDidSaveObjectIDs, ids, of: self)
    mergeIntoChildren(ids)
    pending.deleted.forEachHeld { if $0.flags.contains(.gone) { $0.detach() } }
  }
}
