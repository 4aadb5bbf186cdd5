import StrataRowStore
import Synchronization

/// The commits of others that a context has not merged yet.
///
/// They wait as IDs, so that a context that is never idle needs little memory for them.
final class MergeQueue {
  private let waiting = Mutex<[ObjectIDChanges]>([])
  /// Whether the context is merging others' saves outside of the program's blocks. Used on the context's queue, as all but `add(_:)` is.
  private(set) var isMerging = false
  /// Whether a merge of unknown changes failed and will be tried again.
  var willRetryUnknownChanges = false

  /// Adds a commit, on any thread, in the order of commits.
  /// - Returns: whether the context has to be asked to merge what waits.
  func add(_ changes: ObjectIDChanges) -> Bool {
    waiting.withLock { waiting in
      waiting.append(changes)
      return waiting.count == 1
    }
  }

  /// Takes what waits, oldest first.
  private func takeAll() -> [ObjectIDChanges] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  func removeAll() { _ = takeAll() }

  /// Merges what waits.
  /// - Parameter combines: whether all of it is merged as one commit.
  func drain(combining combines: Bool, _ merge: (ObjectIDChanges) -> Void) {
    let commits = takeAll()
    isMerging = true
    for changes in combines ? [ObjectIDChanges(inOrder: commits)] : commits { merge(changes) }
    isMerging = false
  }
}
