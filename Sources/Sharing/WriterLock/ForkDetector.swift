import Foundation
import StrataRowStore

/// Detects the child of a fork. Neither connections nor locks survive a fork, and SQLite's own record of its locks is
/// copied with the memory, so that not even a new connection in the child would be safe.
/// See https://sqlite.org/howtocorrupt.html#_carrying_an_open_database_connection_across_a_fork_
package enum ForkDetector {
  /// The process that called `watch` first. A fork before that does no harm.
  private struct Origin: @unchecked Sendable {
    // @unchecked: nothing in the process writes to the mark after it is made.

    /// A byte that is 1 here and 0 in the child of a fork, where the kernel replaces its page by zeros. Reading it needs
    /// no system call, and the process no fork handler. nil if the kernel does not support that.
    /// See madvise(2), MADV_WIPEONFORK
    let mark: UnsafePointer<UInt8>?
    let process = getpid()

    init() {
      let size = Int(sysconf(Int32(_SC_PAGESIZE)))
      let page = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let page, page != MAP_FAILED, madvise(page, size, MADV_WIPEONFORK) == 0 else {
        mark = nil
        return
      }
      page.storeBytes(of: 1, as: UInt8.self)
      mark = UnsafePointer(page.assumingMemoryBound(to: UInt8.self))
    }
  }

  private static let origin = Origin()

  /// Call this before a connection is opened.
  package static func watch() { _ = origin }

  /// Whether a fork lies between the process that called `watch` and this one.
  package static var isChild: Bool { origin.mark.map { $0.pointee == 0 } ?? (getpid() != origin.process) }

  /// - Throws: `.notOpen` in the child of a fork.
  package static func refuseChild(_ tried: String, path: String) throws {
    guard isChild else { return }
    throw StoreError(
      .notOpen,
      "Cannot \(tried) the store '\(path)' in the child of a fork: the connections and locks of the parent, process "
        + "\(getppid()), do not work here. Start a new program (exec) and open the store there.")
  }
}
