import StrataRowStore
import StrataSQLiteEngine

/// Saves of several threads, made one after another in one transaction, each in a savepoint.
///
/// A save with a conflict fails alone. Whatever else goes wrong, such as a full disk, rolls the group back; then each save is
/// made in a transaction of its own, and gets its own error.
struct CommitGroup {
  let store: SQLStore
  let writer: Writer
  let connection: Connection
  let statements: WriteStatements
  let saves: [QueuedCommit]

  /// Sets the outcome of each save. The caller must hold the writer lock.
  func run() {
    if saves.count > 1, runTogether() { return }
    for save in saves { save.outcome = Result { try commit(of: save, inGroup: false).run() } }
  }

  private func commit(of save: QueuedCommit, inGroup isInGroup: Bool) -> Commit {
    Commit(of: save.batch, setting: [:], in: store, on: connection, with: statements, inGroup: isInGroup)
  }

  /// - Returns: false if nothing was written, and each save is to be made alone.
  private func runTogether() -> Bool {
    var (hasBegun, isCommitting) = (false, false)
    do {
      try connection.writing {
        hasBegun = true
        for save in saves { save.outcome = try attempt(save) }
        // A COMMIT would write pages that only failed saves have touched, and look like a foreign writer's.
        if receipts.isEmpty { throw Nothing() }
        isCommitting = true
      }
    } catch is Nothing {
      return true
    } catch {
      let isUnknown = isCommitting && (error as? StoreError)?.code == .notOpen
      rollBack(after: error)
      guard !hasBegun || isUnknown else { return false }
      for save in saves where !save.hasFailed { save.outcome = .failure(error) }
      return true
    }
    // Other processes compare the commits in the log with those in the history. If this process is killed here, as many
    // commits by foreign writers as the group had saves go unnoticed in the one interval of their counts that has the group:
    // accepted, because lowering the count before the COMMIT would make each group look foreign.
    let listed = receipts.count { $0.transaction != nil }
    if listed > 1 { writer.adjustUnlistedCount(by: 1 - listed) }
    return true
  }

  private struct Nothing: Error {}

  /// - Throws: the error of a save that may have left more than its savepoint undoes.
  private func attempt(_ save: QueuedCommit) throws -> Result<CommitReceipt, any Error> {
    do {
      return .success(try commit(of: save, inGroup: true).run())
    } catch let error as StoreError where error.code == .conflict || error.code == .constraint {
      return .failure(error)
    }
  }

  private var receipts: [CommitReceipt] { saves.compactMap { try? $0.outcome?.get() } }

  private func rollBack(after error: any Error) {
    // A later save of the group may have read a string that an earlier one wrote.
    writer.strings = [:]
    for case let transaction? in receipts.map(\.transaction) { store.endCommit(transaction, after: error) }
  }
}

extension QueuedCommit {
  fileprivate var hasFailed: Bool {
    if case .failure = outcome { true } else { false }
  }
}
