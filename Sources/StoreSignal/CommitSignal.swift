import Glibc

/// "Someone committed": the wake-up that passes between the processes that share a store.
///
/// A signal carries no data. It may be lost (its sender dies before it is sent), doubled, or merged with others
/// (invariant 2). Whoever is woken therefore reads the history from its own token on; what a lost signal costs is
/// delay, never a change (invariant 4).
package enum CommitSignal {
  /// The empty file beside the store whose times are touched after a commit.
  package static func notifyPath(ofStore storePath: String) -> String { storePath + "-notify" }

  /// Wakes every process, this one too, that observes the store. To be called after COMMIT has returned and the
  /// writer lock was given back, never before (invariant 2).
  ///
  /// The file is touched by its path and not through a descriptor, so that a file that was deleted, replaced or
  /// turned into a link costs nothing: a missing one is made anew, and its creation is the signal.
  /// - Throws: `SignalError` when the file can be neither touched nor made. The commit stands all the same.
  package static func post(storePath: String) throws {
    let path = notifyPath(ofStore: storePath)
    // Twice is enough for a file that comes and goes between two calls; the bound is for one that always does.
    for _ in 0..<16 {
      if utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) == 0 { return }
      guard errno == ENOENT else { throw failure(errno, "touch '\(path)'") }
      if try create(path, besideStore: storePath) { return }
    }
    throw failure(EAGAIN, "touch '\(path)', which was deleted again and again meanwhile,")
  }

  /// Makes the file with the owner and the rights of the store. False: somebody else has just made it.
  private static func create(_ path: String, besideStore storePath: String) throws -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw failure(errno, "create '\(path)'")
    }
    defer { close(descriptor) }
    var store = stat()
    if stat(storePath, &store) == 0 {
      // Who may write the store must be able to signal it. Where that is not ours to give, 0600 stays.
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
  /// released. The watch is in place when this returns: read the history after it, and nothing falls between.
  ///
  /// `onChange` is called on the watcher's thread, once for any number of signals that came together, also without
  /// cause now and then. It must not block: hop to a queue of your own.
  /// - Parameters:
  ///   - storePath: the path of the store's file; its folder must exist, the store need not yet.
  ///   - noticesForeignWriters: also watch the write-ahead log for writers that send no signal, such as the sqlite3
  ///     shell (invariant 4). It costs one or two wake-ups more for each commit, at most 50 a second, none in rest.
  /// - Throws: `SignalError` when the folder cannot be found, or in the child of a `fork`. That inotify cannot be
  ///   had is no error: the observation's `mode` then is `.polling`.
  package static func observe(
    storePath: String, noticesForeignWriters: Bool = true, onChange: @escaping @Sendable () -> Void
  ) throws -> SignalObservation {
    try Watcher.shared.observe(
      storePath: storePath, noticesForeignWriters: noticesForeignWriters, onChange: onChange)
  }
}
