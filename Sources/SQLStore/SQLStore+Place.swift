import SQLText
import SQLiteEngine
import Synchronization

/// How often a store was committed to, as two ways of counting have it.
package struct CommitCount: Equatable, Sendable {
  /// All commits that the log has seen, of whomever. It goes round, and begins anew when a log is read after a crash.
  var commits: UInt32
  /// The commits that have a transaction in the history, and those of this process that have none.
  var listed: Int64
  /// The oldest transaction that is there. A purge is a commit without a transaction, but no foreign one.
  var oldest: Int64

  /// Whether somebody committed without a word of it in the history since an earlier count (invariant 4): a foreign
  /// writer, or another process that reserved ids.
  package func hasUnlisted(since earlier: CommitCount) -> Bool {
    oldest == earlier.oldest
      && commits &- earlier.commits != UInt32(truncatingIfNeeded: listed - earlier.listed)
  }
}

/// What others do to the store's file.
extension SQLStore {
  /// Nil while somebody commits, and of a store without log or history.
  package func commitCount() throws -> CommitCount? {
    guard keepsHistory else { return nil }
    return try readers.read { reader in
      _ = try reader.connection.integer(HistoryWriter.newestTransaction)
      let before = reader.connection.logMoment
      let own = unlistedCommits.load(ordering: .relaxed)
      let newest = try reader.connection.integer(HistoryWriter.newestTransaction) ?? 0
      let oldest = try reader.connection.integer("SELECT ifnull(min(Z_PK), 0) FROM ATRANSACTION") ?? 0
      guard let before, before == reader.connection.logMoment else { return nil }
      return CommitCount(commits: before.commits, listed: newest + Int64(own), oldest: oldest)
    }
  }

  /// Notices that the store's files were deleted, moved or replaced: what is read from there on would be old for ever.
  /// Reading and writing then fail until they are back.
  package func checkPlace() { readers.loss = files?.loss(at: path) }
}
