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

    init?(_ path: String) {
      var found = stat()
      guard stat(path, &found) == 0 else { return nil }
      (device, number) = (found.st_dev, found.st_ino)
    }
  }

  private let path: String
  /// Stored, because concatenating takes longer than `stat`.
  private let logPath: String
  private let store: File?
  private let log: File?
  /// Whether the path is not a symbolic link: a link's folder does not change with its target.
  private let isDirect: Bool
  /// The folder's state when the files were last found intact.
  private var checkedFolder: FolderState?

  /// Records the files at a path. They stay the same while any process has the store open: the last one to close it
  /// removes the WAL.
  package init(at path: String) {
    self.path = path
    logPath = path + "-wal"
    store = File(path)
    log = File(logPath)
    var own = stat()
    isDirect = lstat(path, &own) == 0 && own.st_ino == store?.number && own.st_dev == store?.device
  }

  /// Like `loss`, but skips the check of each file while their folder is unchanged.
  package mutating func loss(in folder: FolderState?) -> StoreError? {
    if isDirect, folder != nil, folder == checkedFolder { return nil }
    if let loss { return loss }
    checkedFolder = folder
    return nil
  }

  /// What happened to the files that were opened; nil if they are still in place.
  package var loss: StoreError? {
    let now = File(path)
    guard now != store || File(logPath) != log else { return nil }
    let (what, help) =
      switch (now, now == store) {
      case (nil, _): ("it was deleted or moved away", "Put it back, or open the store that is to be used instead")
      case (_, false): ("another file was put in its place", "Open it again to use that one")
      case (_, true): ("its file '-wal', which has what was saved last, was removed or replaced", "Put that back")
      }
    return StoreError(
      .notOpen,
      "The store '\(path)' is no longer the one that was opened: \(what) meanwhile. Nothing was written. \(help).")
  }
}
