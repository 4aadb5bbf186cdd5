import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSupport

/// Saving, through a request that names objects.
extension IncrementalBackEnd {
  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? { try reserveIDs(for: Self.rows(of: entities)) }

  func reserveIDs(for rows: [Row]) throws -> [RowID]? {
    try whileOpen {
      try checkHolds(rows)
      return try withContext { context in
        var batch = ChangeBatch()
        batch.inserted = rows
        return try newIDs(for: try context.objects(of: batch).inserted)
      }
    }
  }

  /// Compares versions, has the store assign IDs and write, and reads the new versions back.
  func commit(_ batch: ChangeBatch) throws -> CommitReceipt {
    try whileOpen {
      guard !batch.isEmpty else { return CommitReceipt() }
      try checkHolds(batch.inserted)
      let stored = try storedRows(of: batch)
      var present = batch
      present.deleted.removeAll { stored[$0.id] == nil }
      return try withContext { context in
        let objects = try context.objects(of: present, stored: RowList(rows: Array(stored.values)))
        let ids = try newIDs(for: objects.inserted)
        context.assignIDs(objects.inserted, as: ids)
        // A request without objects would mean saving the metadata.
        if !objects.isEmpty {
          _ = try context.stoppingAtFailedReads {
            try (store as? NSIncrementalStore)?.execute(request(to: objects), with: context)
          }
        }
        return receipt(inserted: ids, updates: batch.updated.map(\.row))
      }
    }
  }

  /// A request for everything in a batch.
  private func request(to objects: BatchObjects) -> NSSaveChangesRequest {
    func set(_ objects: [NSManagedObject]) -> Set<NSManagedObject>? { objects.isEmpty ? nil : Set(objects) }
    return NSSaveChangesRequest(
      inserted: set(objects.inserted), updated: set(objects.updated), deleted: set(objects.deleted),
      locked: set(objects.checked))
  }

  /// The IDs that objects have already, or that the store assigns.
  private func newIDs(for objects: [NSManagedObject]) throws -> [RowID] {
    let new = objects.filter(\.objectID.isTemporaryID)
    guard !new.isEmpty, let program = store as? NSIncrementalStore else { return objects.map(\.objectID.rowID) }
    let given = try program.obtainPermanentIDs(for: new)
    guard given.count == new.count else {
      throw StoreError(
        .corrupt, "The store \(store.type) gave \(given.count) permanent ids for \(new.count) new objects.")
    }
    var next = given.makeIterator()
    return objects.map { object in
      let id = object.objectID
      return (id.isTemporaryID ? next.next() ?? id : id).rowID
    }
  }

  /// The current rows of a batch.
  /// - Throws: `.conflict` with those whose version differs from what the batch expects.
  private func storedRows(of batch: ChangeBatch) throws -> [RowID: Row] {
    let expected: [(id: RowID, version: Int64?)] =
      batch.updated.map { ($0.row.id, $0.row.version) } + batch.deleted.map { ($0.id, $0.version) }
      + batch.checked.map { ($0.id, $0.version) }
    let rows = try rows(with: Array(Set(expected.map(\.id)))).rows
    let stored = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let conflicts = expected.compactMap { id, version -> RowConflict? in
      guard let version, stored[id]?.version != version else { return nil }
      return RowConflict(id: id, expectedVersion: version, stored: stored[id])
    }
    if let refusal = StoreError.refusal(byStore: nil, versions: conflicts, constraints: []) { throw refusal }
    return stored
  }

  /// The receipt of a request that the store has executed, with the versions that its rows have now.
  ///
  /// Never throws: the rows are written, and a program that was told otherwise would save them twice. A version that
  /// cannot be read is taken to be the next one. If it is another, the object's next save is a conflict.
  private func receipt(inserted: [RowID], updates: [Row]) -> CommitReceipt {
    let versions = versionsAfterCommit(of: inserted + updates.map(\.id))
    var receipt = CommitReceipt(
      inserted: inserted, updatedVersions: updates.map { versions[$0.id] ?? $0.version + 1 }, transaction: nil)
    receipt.insertedVersions = inserted.map { versions[$0] ?? 1 }
    return receipt
  }

  private func versionsAfterCommit(of ids: [RowID]) -> [RowID: Int64] {
    do {
      return Dictionary(try rows(with: ids).rows.map { ($0.id, $0.version) }, uniquingKeysWith: { first, _ in first })
    } catch {
      Diagnostics.warn("the store \(store.type) saved, but its new rows cannot be read: \(error)")
      return [:]
    }
  }
}
