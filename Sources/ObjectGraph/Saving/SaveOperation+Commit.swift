import Foundation
import StrataRowStore

/// The commit of the batch, repeated as long as others commit the same rows and the merge policy resolves that.
extension SaveOperation {
  /// The number of attempts for conflicts with others: more than faster writers can plausibly cause.
  private static let attemptsForConflicts = 100

  /// - Throws: what the merge policy throws; the store's error; code 134040 if only some of several stores have committed.
  mutating func commit() throws -> (PendingSave, CommitReceipt) {
    do {
      return try commitWithRetries()
    } catch {
      guard let partial else { throw error }
      let unsaved = context.tracker.tracked.filter(\.life.isPending)
      throw CocoaError.incomplete(partial, objects: unsaved, cause: error)
    }
  }

  private mutating func commitWithRetries() throws -> (PendingSave, CommitReceipt) {
    var pending = PendingSave(of: context)
    var attempts = SaveAttempts(turn: firstTurn(for: pending.batch))
    defer { attempts.turn?.end() }
    // Along a chain of unique values, each object may need a round of its own.
    let maximum = Self.attemptsForConflicts + context.tracker.tracked.count
    for attempt in 0..<maximum {
      if attempt > 0 { pending = PendingSave(of: context) }
      do {
        return (pending, try send(pending))
      } catch {
        try resolve(error, of: pending, &attempts)
      }
    }
    throw CocoaError.coreData(
      .conflict,
      "Cannot save: other writers committed the same objects \(maximum) times in a row. Save again, or save fewer "
        + "objects in one save.")
  }

  private func send(_ pending: PendingSave) throws -> CommitReceipt {
    try context.refuseSaveAfterFaultFailure()
    // An empty batch needs no snapshot.
    let source = pending.batch.isEmpty ? context.source : try context.requireSource()
    return try source?.commit(pending.batch) ?? CommitReceipt()
  }

  /// The state that the attempts of one save share.
  private struct SaveAttempts {
    /// The conflicts that the merge policy resolved last.
    var last: [ConflictKey] = []
    var turn: RetryTurn?
  }

  /// Prepares the next attempt: waits for the turn, or lets the merge policy resolve the conflicts.
  /// - Throws: the error of the save, if it cannot be repeated.
  private mutating func resolve(_ failure: any Error, of pending: PendingSave, _ attempts: inout SaveAttempts) throws {
    var cause = failure
    if let part = failure as? PartialCommit {
      apply(part, of: pending)
      (partial, cause) = (part, part.cause)
      // The observers of what was saved may have changed more.
      try settle()
    }
    guard let error = cause as? StoreError else { throw cause }
    guard error.code == .conflict || error.code == .constraint else { throw publicError(of: error) }
    // Other saves may have committed while this one waited, so the conflicts are out of date.
    if takeTurn(for: pending.batch.contendedIDs(error), &attempts.turn) { return }
    let keys = error.conflicts.map(ConflictKey.init)
    // A policy that changes nothing would be called forever.
    guard keys != attempts.last, !keys.isEmpty else { throw conflictError(of: error) }
    attempts.last = keys
    try resolveConflicts(of: error)
    // The links of both sides together may be too many, or too few.
    try validate()
  }

  /// Queues behind a save that writes the same rows. A child's save takes no turn: it waits for its parent, whose own save
  /// may be waiting for the turn.
  private func firstTurn(for batch: ChangeBatch) -> RetryTurn? {
    guard context.parent == nil, let source = context.source else { return nil }
    return RetryTurn.queue(behindSavesOf: batch, in: source, for: context)
  }

  /// Takes the turn, unless the save already has it or is going to fail, and adds rows to those that it has the turn for.
  /// - Returns: whether the save had to wait for the turn.
  private func takeTurn(for rows: Set<RowID>, _ turn: inout RetryTurn?) -> Bool {
    if turn?.add(rows) == true { return false }
    let policy = context.settings.mergePolicy
    let isFailing = policy.mergeType == .errorMergePolicyType && type(of: policy) == NSMergePolicy.self
    guard !isFailing, context.parent == nil, let source = context.source else { return false }
    turn = RetryTurn.take(of: source, for: context, writing: rows, after: turn)
    return turn?.hasWaited == true
  }
}

/// Identifies a conflict, to recognize it in the next round.
private struct ConflictKey: Equatable {
  let id: RowID
  let expected: Int64
  let stored: RowID?
  let version: Int64?
  let constraint: [String]

  init(_ conflict: RowConflict) {
    id = conflict.id
    expected = conflict.expectedVersion
    (stored, version) = (conflict.stored?.id, conflict.stored?.version)
    constraint = conflict.constraint
  }
}
