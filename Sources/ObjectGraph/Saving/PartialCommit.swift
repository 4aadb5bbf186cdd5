import Foundation
import StrataCoreDataErrors
import StrataRowStore

/// Thrown by a coordinator of several stores when some of them have done their part of a batch and another has not.
package struct PartialCommit: Error {
  /// The receipt of the whole batch, in which only what was written counts.
  package let receipt: CommitReceipt
  /// The rows of the batch that were not written, by the ids that they have there.
  package let missing: Set<RowID>
  /// The stores that have not done their part.
  package let failedStores: [StoreIdentity]
  /// Why not.
  package let cause: any Error

  package init(receipt: CommitReceipt, missing: Set<RowID>, failedStores: [StoreIdentity], cause: any Error) {
    (self.receipt, self.missing, self.failedStores, self.cause) = (receipt, missing, failedStores, cause)
  }
}

extension PendingSave {
  /// The part that was written, with its receipt.
  func part(of commit: PartialCommit) -> (PendingSave, CommitReceipt) {
    var part = PendingSave()
    var receipt = CommitReceipt(inserted: [], updatedVersions: [], transaction: commit.receipt.transaction)
    (receipt.triggered, receipt.triggeredRows) = (commit.receipt.triggered, commit.receipt.triggeredRows)
    let versions = commit.receipt.insertedVersions
    if versions != nil { receipt.insertedVersions = [] }
    for (place, row) in batch.inserted.enumerated() where !commit.missing.contains(row.id) {
      part.inserted.append(inserted[place])
      part.batch.inserted.append(row)
      receipt.inserted.append(commit.receipt.inserted[place])
      if let versions { receipt.insertedVersions?.append(versions[place]) }
    }
    for (place, update) in batch.updated.enumerated() where !commit.missing.contains(update.row.id) {
      part.updated.append(updated[place])
      part.batch.updated.append(update)
      receipt.updatedVersions.append(commit.receipt.updatedVersions[place])
    }
    let gone = batch.deleted.filter { !commit.missing.contains($0.id) }
    part.batch.deleted = gone
    let goneIDs = Set(gone.map(\.id))
    part.deleted = deleted.filter { goneIDs.contains($0.rowID) }
    return (part, receipt)
  }
}

extension NSManagedObject {
  /// A row of the object's own that nobody else's unsaved changes lie beside.
  func leaveScratchPage() {
    guard edits?.ownsRow == true else { return }
    let copy = row.copy()
    adopt(copy.page, copy.index)
  }
}

extension CocoaError {
  /// The failure of a save that some stores have done and others have not.
  static func incomplete(_ commit: PartialCommit, _ objects: [NSManagedObject], cause: any Error) -> CocoaError {
    .coreData(
      .incompleteSave,
      "One or more of the stores returned an error during save: \(objects.count) objects were not saved.",
      cause: cause,
      [NSAffectedStoresErrorKey: commit.failedStores.compactMap(\.store), NSAffectedObjectsErrorKey: objects])
  }
}
