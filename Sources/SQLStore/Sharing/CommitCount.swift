import StrataSQLText
import StrataSQLiteEngine
import StrataSharing
import Synchronization

/// The number of commits to a store, counted in two ways.
package struct CommitCount: Equatable, Sendable {
  /// All commits recorded in the WAL, by any writer. It wraps around, and restarts when the WAL is recovered after a crash.
  var commits: UInt32
  /// The commits in the history.
  var listed: Int64
  /// The commits that the history does not list, less the number by which its transactions exceed their commits.
  var unlisted: Int64
  /// Whether the writer lock was held: its holder may have counted a commit that was still to come, or made one with
  /// several transactions that it was still to count.
  var isBeingWritten: Bool
  /// The number of known commits that the log did not have yet; for a first count, the most that may be to come.
  var awaited: Int64 = 0

  /// An unlisted commit is counted before it is made, and may never come: its process died, or nothing changed. The
  /// transactions of a group exceed its commits until the count is lowered.
  private static let maximumAwaited = Int64(8 + CommitQueue.maximumGroup)

  private var known: Int64 { listed &+ unlisted }

  /// Continues from an earlier count.
  /// - Returns: whether a foreign writer has committed since (invariant 4).
  package mutating func goOn(from earlier: CommitCount) -> Bool {
    let made = Int64(Int32(bitPattern: commits &- earlier.commits))
    let unknown = made &- (known &- earlier.known)
    let isForeign = made < 0 || unknown > earlier.awaited || unknown < -Self.maximumAwaited
    // Once the writer lock is free, a missing unlisted commit never arrives.
    awaited = isForeign || !isBeingWritten ? 0 : max(0, earlier.awaited &- unknown)
    return isForeign
  }
}

extension SQLStore {
  /// nil during a commit, and for a store without WAL or history.
  package func commitCount() throws -> CommitCount? {
    guard keepsHistory else { return nil }
    return try readers.readInOneTransaction { reader in
      commitCount(newest: try newestTransaction(reader.connection), reader)
    }
  }

  /// The count as of the read transaction that has just read the number of the newest transaction.
  /// - Returns: nil if a process has committed since it began.
  func commitCount(newest: Int64, _ reader: Reader) -> CommitCount? {
    guard let state = reader.watch.walSnapshot, let unlisted = WriterLock.unlistedCount(storePath: path),
      state == reader.connection.walSnapshot
    else { return nil }
    return CommitCount(
      commits: state.commits, listed: newest, unlisted: unlisted.commits, isBeingWritten: unlisted.isLocked,
      awaited: unlisted.isLocked ? 1 : 0)
  }
}
