import Glibc

/// The signal that wakes the processes sharing a store after a commit.
///
/// A signal carries no data. It may be lost (if its sender dies first), duplicated or merged with others (invariant 2).
/// So a woken process reads the history after its own token; a lost signal causes delay, never a lost change
/// (invariant 4).
package enum CommitSignal {
  /// The empty file beside the store whose times are updated after a commit.
  package static func notifyPath(ofStore storePath: String) -> String { storePath + "-notify" }

  /// Wakes every process that observes the store, including this one. Call it after COMMIT has returned and the writer
  /// lock is released, never before (invariant 2).
  ///
  /// Touches the file by path, not by descriptor, so a file that was deleted, replaced or turned into a link does no
  /// harm:
  /// a missing one is created, which is itself a signal.
  /// - Throws: `SignalError` if the file can be neither touched nor created. The commit stands regardless.
  package static func post(storePath: String) throws {
    let path = notifyPath(ofStore: storePath)
    // Two attempts suffice for a file that appears or disappears between two calls; the bound is for one that always
    // does.
    for _ in 0..<16 {
      if utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) == 0 { return }
      guard errno == ENOENT else { throw failure(errno, "touch '\(path)'") }
      if try create(path, besideStore: storePath) { return }
    }
    throw failure(EAGAIN, "touch '\(path)', which was deleted again and again meanwhile,")
  }

  /// Creates the file with the owner and permissions of the store; returns false if it exists by now.
  private static func create(_ path: String, besideStore storePath: String) throws -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw failure(errno, "create '\(path)'")
    }
    defer { close(descriptor) }
    var store = stat()
    if stat(storePath, &store) == 0 {
      // Whoever may write the store must be able to signal it. If we cannot grant that, 0600 stays.
      if store.st_uid != geteuid() || store.st_gid != getegid() { _ = fchown(descriptor, store.st_uid, store.st_gid) }
      _ = fchmod(descriptor, store.st_mode & 0o666)
    }
    return true
  }

  private static func failure(_ code: Int32, _ what: String) -> SignalError {
    .system(
      code, what,
      help: "the folder of the store and its -notify file must be writable for all who write the store")
  }

  /// Calls `onChange` whenever somebody may have committed to the store, until the observation is cancelled or
  /// released.
  /// The watch is in place when this returns: read the history afterwards, and no commit is missed.
  ///
  /// `onChange` is called on the watcher's thread, once for any number of simultaneous signals, and occasionally
  /// without cause. It must not block: hop to a queue of your own.
  /// - Parameters:
  ///   - storePath: the store file's path; its folder must exist, the store need not yet.
  ///   - noticesForeignWriters: also watch the WAL for writers that send no signal, such as the sqlite3 shell
  ///     (invariant 4). Costs one or two more wake-ups per commit, at most 50 a second, none while idle.
  /// - Throws: `SignalError` if the folder cannot be found, or in the child of a `fork`. Unavailable inotify is not an
  ///   error: the observation's `mode` is `.polling` then.
  package static func observe(
    storePath: String, noticesForeignWriters: Bool = true, onChange: @escaping @Sendable () -> Void
  ) throws -> SignalObservation {
    try Watcher.shared.observe(
      storePath: storePath, noticesForeignWriters: noticesForeignWriters, onChange: onChange)
  }
}
