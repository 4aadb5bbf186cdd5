import StrataRowStore

/// The hooks and notifications after the commit.
extension SaveOperation {
  func notify(_ pending: PendingSave, _ ids: ObjectIDChanges, _ receipt: CommitReceipt) {
    context.forgetPrefetchedRows(ids)
    pending.inserted.forEachHeld { $0.didSave() }
    pending.updated.forEachHeld { $0.didSave() }
    pending.deleted.forEachHeld { $0.didSave() }
    context.notifier.postDidSave(
      .of(pending, after: reported), changeToken: context.source?.historyToken(of: receipt), of: context)
    context.notifier.postIDs(.NSManagedObjectContextDidSaveObjectIDs, ids, of: context)
    context.mergeIntoChildren(ids)
    pending.deleted.forEachHeld { if $0.flags.contains(.gone) { $0.detach() } }
  }
}
