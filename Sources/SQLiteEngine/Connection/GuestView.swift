import Foundation
import StrataSupport

/// The files of a store as a guest found them: a process that only reads, and may not make the files that SQLite puts beside
/// the store.
///
/// Without a log beside the store, a guest's connection takes no locks and looks for no log: see `Connection.Mode.immutable`.
/// What others do then, it would never see, and could read half of. So a guest looks at the files before and after it reads, and
/// reads again on a new connection if they have changed. While a log is there, the connection is like any other, and its lock
/// keeps the log from being removed.
package struct GuestView: Equatable, Sendable {
  /// A file's device, inode number, size and times.
  private struct Stamp: Equatable, Sendable {
    let device: dev_t
    let number: ino_t
    private(set) var size: off_t = 0
    private(set) var times: [Int] = []

    /// - Parameter contents: whether other contents make another stamp.
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
  private let store: Stamp?
  private let log: Stamp?
  private let logIndex: Stamp?

  /// What whoever reads without locks finds.
  package init(at path: String) {
    self.path = path
    log = Stamp(path + "-wal", contents: false)
    logIndex = Stamp(path + "-shm", contents: false)
    store = Stamp(path, contents: log == nil)
  }

  /// Whether this process may not make what SQLite needs beside the store.
  package static func isGuest(at path: String) -> Bool {
    access((path as NSString).deletingLastPathComponent, W_OK) != 0 || !StorePermissions.mayCreate(besideStore: path)
  }

  /// How often a guest tries: each time, others have opened the store, saved and closed it.
  package static let maximumAttempts = 100

  /// How to open the store as it was found.
  package var mode: Connection.Mode { log == nil ? .immutable : .readOnly }

  /// Whether what was read since is what the store holds: nobody has written without a log since, or put another file in the
  /// place of one.
  package var isCurrent: Bool { GuestView(at: path) == self }
}
