import Foundation
import StrataRowStore

/// One save of a context to its source. `run()` lists the steps; the larger ones are in files of their own.
///
/// If a step throws, nothing is saved, and the context keeps its changes, including those of hooks and of the merge policy. With
/// several stores, what one of them has written stays written, and the rest stays unsaved.
struct SaveOperation {
  let context: NSManagedObjectContext
  /// The changes that the last `NSManagedObjectContextObjectsDidChange` reported, for reuse in `…DidSave`.
  var reported: ReportedChanges?
  /// The last commit of only some of several stores; nil otherwise.
  var partial: PartialCommit?

  init(of context: NSManagedObjectContext) { self.context = context }

  mutating func run() throws {
    try context.refuseSaveAfterFaultFailure()
    context.detachGone()
    let isClean = !context.hasPendingChanges
    if isClean { context.notifier.postWillSave(of: context) }
    // Observers of a save without changes may still make some.
    guard context.hasPendingChanges || !context.tracker.checked.isEmpty else { return try saveNothing() }
    try processChanges()
    try callWillSave()
    if !isClean { context.notifier.postWillSave(of: context) }
    try validate()
    var (pending, receipt) = try commit()
    apply(receipt, to: pending)
    let ids = pending.changes(receipt)
    // The rows are not needed any more, and the notifications take memory.
    pending.batch = ChangeBatch()
    notify(pending, ids, receipt)
    context.detachGone()
  }

  /// Saves a context without changes: its stores may have new metadata.
  private func saveNothing() throws {
    do {
      _ = try context.source?.commit(ChangeBatch())
    } catch let error as StoreError {
      throw publicError(of: error)
    }
    context.notifier.postDidSave(ReportedChanges(ContextEvent()), changeToken: nil, of: context)
  }
}
