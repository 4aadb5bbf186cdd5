import StrataManagedModel
import StrataRowStore

/// Applies the receipt of a commit to the objects of the context.
extension SaveOperation {
  func apply(_ receipt: CommitReceipt, to pending: PendingSave) {
    context.advanceGeneration()
    context.expireLists(changedBy: pending.batch)
    applyIDsAndVersions(of: receipt, to: pending)
    var taken = context.tracker.takeSaved()
    taken.saved.forEachHeld { $0.markSaved() }
    taken.saved.releaseAll()
    context.tracker.reuse(saved: &taken.saved)
    applyTriggeredRows(of: receipt)
    applyDerivedValues(receipt, for: pending)
  }

  /// Marks what some of several stores have written as saved; the rest stays unsaved.
  mutating func apply(_ commit: PartialCommit, of pending: PendingSave) {
    context.advanceGeneration()
    let (done, receipt) = pending.part(of: commit)
    context.expireLists(changedBy: done.batch)
    applyIDsAndVersions(of: receipt, to: done)
    for object in done.all {
      object.leaveUnsavedPage()
      object.markSaved()
    }
    context.tracker.removeUntracked()
    applyTriggeredRows(of: receipt)
    applyDerivedValues(receipt, for: done)
    // The event reported also what is not saved yet.
    reported = nil
    notify(done, done.changes(receipt), receipt)
  }

  private func applyIDsAndVersions(of receipt: CommitReceipt, to pending: PendingSave) {
    context.renumber(pending.inserted, as: receipt.inserted)
    pending.inserted.forEachHeld { $0.page?.setVersion(1, row: $0.rowIndex) }
    for (object, version) in zip(pending.inserted, receipt.insertedVersions ?? []) { object.setVersion(version) }
    for (object, version) in zip(pending.updated, receipt.updatedVersions) { object.setVersion(version) }
  }

  /// Gives objects the rows that a store's triggers left, and removes those that they deleted.
  private func applyTriggeredRows(of receipt: CommitReceipt) {
    guard !receipt.triggered.isEmpty else { return }
    context.expireLists(changedBy: ObjectIDChanges(updated: receipt.triggered))
    var gone = Set(receipt.triggered)
    receipt.triggeredRows.forEach { page, index in
      gone.remove(page.id(index))
      guard let object = context.registry.object(page.id(index)),
        object.applyTriggeredRow(Row(page: page, index: index))
      else { return }
      context.noteEvent(object, flags: .refreshedInEvent)
    }
    for object in gone.compactMap(context.registry.object) { context.markGone(object) }
  }

  /// A parent context derives nothing.
  private func applyDerivedValues(_ receipt: CommitReceipt, for pending: PendingSave) {
    guard context.parent == nil, context.model.hasRemoteDerivations else { return }
    context.updateDerivedValues(after: pending.changes(receipt))
  }
}
