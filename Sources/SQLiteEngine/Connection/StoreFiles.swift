import StrataCSQLite
import Foundation
import StrataRowStore
import StrataWriterLock

/// The files that make up an open store: the database and its write-ahead log. Detects their loss or replacement.
package struct StoreFiles: Sendable {
  /// A file's device and inode number; nil if the file does not exist.
  private struct File: Equatable, Sendable {
    let device: dev_t
    let number: ino_t

    /// - Throws: `.io` if the system does not tell: a file is lost only if it is known to be.
    init?(_ path: String) throws(StoreError) {
      var found = stat()
      guard stat(path, &found) == 0 else {
        switch errno {
        case ENOENT, ENOTDIR, ELOOP: return nil
        case let code:
          throw StoreError(
            .io,
            "Cannot see whether '\(path)' is still the file that was opened: \(String(cString: strerror(code))). "
              + "Nothing was written.")
        }
      }
      (device, number) = (found.st_dev, found.st_ino)
    }
  }

  private let path: String
  /// Stored, because concatenating takes longer than `stat`.
  private let logPath: String
  private let store: File?
  private let log: File?
  /// Whether the log belongs to what was opened: the last one to close a store removes it, which a guest cannot prevent.
  private let hasLog: Bool
  /// Whether the path is not a symbolic link: a link's folder does not change with its target.
  private let isDirect: Bool
  /// The folder's state when the files were last found intact.
  private var checkedFolder: FolderState?

  /// Records the files at a path. They stay the same while any process has the store open: the last one to close it
  /// removes the WAL.
  /// - Throws: `.io` if the system does not tell what is there.
  package init(at path: String, hasLog: Bool = true) throws(StoreError) {
    self.path = path
    self.hasLog = hasLog
    logPath = path + "-wal"
    store = try File(path)
    log = hasLog ? try File(logPath) : nil
    var own = stat()
    isDirect = lstat(path, &own) == 0 && own.st_ino == store?.number && own.st_dev == store?.device
  }

  /// Like `check()`, but skips each file while their folder is unchanged.
  package mutating func check(in folder: FolderState?) throws(StoreError) {
    if isDirect, folder != nil, folder == checkedFolder { return }
    try check()
    checkedFolder = folder
  }

  /// Checks that the files that were opened are still in place.
  /// - Throws: `.notOpen` if they are not; `.io` if the system does not tell.
  package func check() throws(StoreError) {
    let now = try File(path)
    let nowLog = hasLog ? try File(logPath) : nil
    guard now != store || nowLog != log else { return }
    let (what, help) =
      switch (now, now == store) {
      case (nil, _): ("it was deleted or moved away", "Put it back, or open the store that is to be used instead")
      case (_, false): ("another file was put in its place", "Open it again to use that one")
      case (_, true): ("its file '-wal', which has what was saved last, was removed or replaced", "Put that back")
      }
    throw StoreError(
      .notOpen,
      "The store '\(path)' is no longer the one that was opened: \(what) meanwhile. Nothing was written. \(help).")
  }
}
