import StrataRowStore
import StrataSQLiteEngine
import Synchronization

/// Tells, without reading the store, whether its newest commit is one of this store's own.
///
/// The header of the wal-index changes with every commit of every process. It is noted after each own COMMIT, and compared
/// before the next one begins, when no other connection can write.
final class OwnCommits: Sendable {
  private struct State {
    /// nil before the first commit, and after the connection was closed.
    var index: WALIndex?
    /// The header after the last own commit; nil if another commit may have been made since.
    var newest: WALSnapshot?
    /// The header when the running transaction began.
    var start: WALSnapshot?
    /// How often another writer's commits have been found.
    var others = 0

    mutating func foundOthers() {
      others += 1
      newest = nil
    }
  }

  private let state = Mutex(State())

  /// Notes the start of a write transaction of a connection, after its BEGIN IMMEDIATE.
  func willWrite(_ connection: Connection) {
    state.withLock { state in
      if state.index == nil { state.index = connection.walIndex }
      state.start = state.index?.snapshot
      if state.start == nil || state.start != state.newest { state.foundOthers() }
    }
  }

  /// Notes a COMMIT. A foreign writer, which does not have the writer lock, may have made another one since.
  func didCommit() {
    state.withLock { state in
      // A transaction that wrote nothing leaves the header as it was.
      guard let start = state.start, let now = state.index?.snapshot, now.commits == start.commits &+ 1 || now == start
      else { return state.foundOthers() }
      state.newest = now
    }
  }

  /// Ends the use of the wal-index, which closing the connection unmaps.
  func end() {
    state.withLock { state in
      (state.index, state.start) = (nil, nil)
      state.foundOthers()
    }
  }

  var origin: CommitOrigin {
    state.withLock { state in
      CommitOrigin(
        others: state.others, isNewestOwn: state.newest != nil && state.index?.snapshot == state.newest)
    }
  }
}
