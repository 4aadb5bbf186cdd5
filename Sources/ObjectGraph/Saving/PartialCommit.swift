import Foundation
import StrataRowStore
import StrataSupport

/// Thrown by a coordinator of several stores if some of them have committed their part of a batch, and another has not
/// committed its part or its metadata.
package struct PartialCommit: Error {
  /// The receipt of the batch; only its written part is valid.
  package let receipt: CommitReceipt
  /// The rows of the batch that were not written, by their IDs in the batch.
  package let missing: Set<RowID>
  /// The stores that did not commit their part.
  package let failedStores: [StoreIdentity]
  package let cause: any Error

  package init(receipt: CommitReceipt, missing: Set<RowID>, failedStores: [StoreIdentity], cause: any Error) {
    (self.receipt, self.missing, self.failedStores, self.cause) = (receipt, missing, failedStores, cause)
  }
}

extension PendingSave {
  /// Returns the part that was written, with its receipt.
  func part(of commit: PartialCommit) -> (PendingSave, CommitReceipt) {
    var part = PendingSave()
    var receipt = CommitReceipt(inserted: [], updatedVersions: [], transaction: commit.receipt.transaction)
    receipt.transactions = commit.receipt.transactions
    (receipt.triggered, receipt.triggeredRows) = (commit.receipt.triggered, commit.receipt.triggeredRows)
    part.batch.derivationInputs = batch.derivationInputs
    let versions = commit.receipt.insertedVersions
    if versions != nil { receipt.insertedVersions = [] }
    for (index, row) in batch.inserted.enumerated() where !commit.missing.contains(row.id) {
      part.inserted.append(inserted[index])
      part.batch.inserted.append(row)
      receipt.inserted.append(commit.receipt.inserted[index])
      if let versions { receipt.insertedVersions?.append(versions[index]) }
    }
    for (index, update) in batch.updated.enumerated() where !commit.missing.contains(update.row.id) {
      part.updated.append(updated[index])
      part.batch.updated.append(update)
      receipt.updatedVersions.append(commit.receipt.updatedVersions[index])
    }
    let gone = batch.deleted.filter { !commit.missing.contains($0.id) }
    part.batch.deleted = gone
    let goneIDs = Set(gone.map(\.id))
    part.deleted = deleted.filter { goneIDs.contains($0.rowID) }
    return (part, receipt)
  }
}

extension NSManagedObject {
  /// Moves the object's own row to a page without other objects' unsaved rows.
  func leaveUnsavedPage() {
    guard ownsRow else { return }
    let copy = row.copy()
    use(copy.page, row: copy.index)
  }
}

extension CocoaError {
  /// Returns the error of a save that only some stores have committed.
  static func incomplete(_ commit: PartialCommit, objects: [NSManagedObject], cause: any Error) -> CocoaError {
    .coreData(
      .incompleteSave,
      "One or more of the stores returned an error during save: "
        + (objects.isEmpty
          ? "all objects were saved, but not all metadata."
          : "\(counted(objects.count, "object")) \(objects.count == 1 ? "was" : "were") not saved."),
      cause: cause,
      userInfo: [NSAffectedStoresErrorKey: commit.failedStores.compactMap(\.store), NSAffectedObjectsErrorKey: objects])
  }
}
