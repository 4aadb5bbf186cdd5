import Glibc
import StrataRowStore
import StrataSupport

/// The signal of a store in a file: touches an empty file next to it, and the kernel wakes the watchers of the folder.
package struct FileSignal: CommitSignal {
  private let storePath: String
  /// The empty file next to the store whose times are updated after a commit.
  private let path: String
  private let noticesForeignWriters: Bool

  /// - Parameters:
  ///   - storePath: the store file's path; its folder must exist when the store is signaled or observed, the store need
  ///     not yet.
  ///   - noticesForeignWriters: also watch the WAL for writers that send no signal, such as the sqlite3 shell
  ///     (invariant 4). Costs one or two more wake-ups per commit, at most 50 a second, none while idle.
  package init(storePath: String, noticesForeignWriters: Bool = true) {
    self.storePath = storePath
    self.noticesForeignWriters = noticesForeignWriters
    path = storePath + "-notify"
  }

  /// Touches the file by path, not by descriptor, so a file that was deleted, replaced or turned into a link does no
  /// harm: a missing one is created, which is itself a signal.
  /// - Throws: `SignalError` if the file can be neither touched nor created. The commit stands regardless.
  package func post() throws {
    // Two attempts suffice for a file that appears or disappears between two calls; the bound is for one that always
    // does.
    for _ in 0..<16 {
      if utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) == 0 { return }
      guard errno == ENOENT else { throw Self.failure(errno, what: "touch '\(path)'") }
      if try create() { return }
    }
    throw Self.failure(EAGAIN, what: "touch '\(path)', which was deleted repeatedly,")
  }

  /// Creates the file with the owner and permissions of the store; returns false if it exists by now.
  private func create() throws -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw Self.failure(errno, what: "create '\(path)'")
    }
    defer { close(descriptor) }
    StorePermissions.copy(ofStore: storePath, to: descriptor)
    return true
  }

  private static func failure(_ code: Int32, what: String) -> SignalError {
    .system(
      code, what: what,
      help: "the folder of the store and its -notify file must be writable for all who write the store")
  }

  /// - Throws: `SignalError` if the folder cannot be found, or in the child of a `fork`. Unavailable inotify is not an
  ///   error: the observation's `mode` is `.polling` then.
  package func observe(_ onChange: @escaping @Sendable () -> Void) throws -> FileSignalObservation {
    try Watcher.shared.observe(
      storePath: storePath, noticesForeignWriters: noticesForeignWriters, onChange: onChange)
  }
}
