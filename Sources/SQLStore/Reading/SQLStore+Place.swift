import StrataSQLText
import StrataSQLiteEngine
import Synchronization
import StrataWriterLock

/// How often a store was committed to, as two ways of counting have it.
package struct CommitCount: Equatable, Sendable {
  /// All commits that the log has seen, of whomever. It goes round, and begins anew when a log is read after a crash.
  var commits: UInt32
  /// The commits that have a transaction in the history, and those that were announced to have none.
  var known: Int64
  /// Whether somebody was about to write, who may have announced a commit that was still to come.
  var isBeingWritten: Bool
  /// How many that were announced were still to come; of a first count the most that there can be.
  var awaited: Int64 = 0

  /// A commit is announced before it is made, and may then not be: its process died, or nothing was changed.
  private static let mostAwaited: Int64 = 8

  /// Goes on from an earlier count.
  /// - Returns: whether somebody committed meanwhile of whom nobody knows (invariant 4): a foreign writer.
  package mutating func goOn(from earlier: CommitCount) -> Bool {
    let made = Int64(Int32(bitPattern: commits &- earlier.commits))
    let unknown = made &- (known &- earlier.known)
    let isForeign = made < 0 || unknown > earlier.awaited || unknown < -Self.mostAwaited
    // Where nobody holds the writer lock any more, an announced commit that is not there never comes.
    awaited = isForeign || !isBeingWritten ? 0 : max(0, earlier.awaited &- unknown)
    return isForeign
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
      let announced = WriterLock.announced(storePath: path)
      let newest = try reader.connection.integer(HistoryWriter.newestTransaction) ?? 0
      guard let before, let announced, before == reader.connection.logMoment else { return nil }
      return CommitCount(
        commits: before.commits, known: newest &+ announced.commits, isBeingWritten: announced.isLocked,
        awaited: announced.isLocked ? 1 : 0)
    }
  }

  /// Notices that the store's files were deleted, moved or replaced: what is read from there on would be old for ever.
  /// Reading and writing then fail until they are back.
  package func checkPlace() { readers.loss = files?.loss }
}
