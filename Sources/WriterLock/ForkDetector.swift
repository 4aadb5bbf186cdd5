import Foundation
import StrataRowStore
import Synchronization

/// Detects the child of a fork. Neither connections nor locks survive a fork, and SQLite's own record of its locks is
/// copied with the memory, so that not even a new connection in the child would be safe.
/// See https://sqlite.org/howtocorrupt.html#_carrying_an_open_database_connection_across_a_fork_
package enum ForkDetector {
  private static let forks = Atomic<Int>(0)
  /// Counts in the child, so that checking needs no system call. A fork before the first connection does no harm.
  private static let isWatching: Bool = pthread_atfork(nil, nil, { forks.add(1, ordering: .relaxed) }) == 0

  /// Call this before a connection is opened.
  package static func watch() { _ = isWatching }

  /// The number of forks between the process that called `watch` and this one.
  package static var count: Int { forks.load(ordering: .relaxed) }

  /// - Throws: `.notOpen` in the child of a fork.
  package static func refuseChild(_ tried: String, path: String) throws {
    guard count > 0 else { return }
    throw StoreError(
      .notOpen,
      "Cannot \(tried) the store '\(path)' in the child of a fork: the connections and locks of the parent, process "
        + "\(getppid()), do not work here. Start a new program (exec) and open the store there.")
  }
}
