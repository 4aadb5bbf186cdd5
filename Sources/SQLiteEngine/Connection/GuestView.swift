import Foundation
import StrataSupport

/// The state of a store's files as a guest found them. A guest is a process that only reads, and may not create the
/// files that SQLite needs next to the store.
///
/// Without a log next to the store, a guest's connection takes no locks and does not look for a log: see
/// `Connection.Mode.immutable`. It would not notice writes of other processes, or see them partially. So a guest
/// compares the files before and after a read, and repeats the read on a new connection if they have changed. While a
/// log exists, the connection is like any other, and its lock keeps the log from being removed.
package struct GuestView: Equatable, Sendable {
  /// A file's device, inode number, size and times.
  private struct Fingerprint: Equatable, Sendable {
    let device: dev_t
    let number: ino_t
    private(set) var size: off_t = 0
    private(set) var times: [Int] = []

    /// - Parameter contents: whether other contents make another fingerprint.
    init?(_ path: String, contents: Bool) {
      var found = stat()
      guard stat(path, &found) == 0 else { return nil }
      (device, number) = (found.st_dev, found.st_ino)
      guard contents else { return }
      size = found.st_size
      times = [found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_ctim.tv_sec, found.st_ctim.tv_nsec]
    }
  }

  private let path: String
  private let store: Fingerprint?
  private let log: Fingerprint?
  private let logIndex: Fingerprint?

  /// Records the current state of the files.
  package init(at path: String) {
    self.path = path
    log = Fingerprint(path + "-wal", contents: false)
    logIndex = Fingerprint(path + "-shm", contents: false)
    store = Fingerprint(path, contents: log == nil)
  }

  /// Whether this process may not create the files that SQLite needs next to the store.
  package static func isGuest(at path: String) -> Bool {
    access((path as NSString).deletingLastPathComponent, W_OK) != 0 || !StorePermissions.mayCreate(besideStore: path)
  }

  /// The maximum number of attempts of a guest: before each, other processes have opened the store, saved and closed
  /// it.
  package static let maximumAttempts = 100

  /// The mode for opening the store in its current state.
  package var mode: Connection.Mode { log == nil ? .immutable : .readOnly }

  /// Whether reads since then are valid: no process has written without a log or replaced a file.
  package var isCurrent: Bool { GuestView(at: path) == self }
}
