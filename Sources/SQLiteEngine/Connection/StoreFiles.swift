import Foundation
import StrataCSQLite
import StrataRowStore
import StrataSharing

/// The files that make up an open store: the database, its write-ahead log and the log's index. Detects their loss or
/// replacement.
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
            "Cannot determine whether '\(path)' is still the file that was opened: \(String(cString: strerror(code))). "
              + "Nothing was written.")
        }
      }
      (device, number) = (found.st_dev, found.st_ino)
    }
  }

  private let path: String
  /// Stored, because concatenating takes longer than `stat`.
  private let logPath: String
  private let indexPath: String
  private let store: File?
  private let log: File?
  /// The index of the log, through which all processes find what the others saved, and hold their locks.
  private let index: File?
  /// Whether the log belongs to what was opened: the last one to close a store removes it, which a guest cannot prevent.
  private let hasLog: Bool
  /// Whether the path is not a symbolic link: a link's folder does not change with its target.
  private let isDirect: Bool
  /// The folder's state when the files were last found intact.
  private var checkedFolder: FolderState?

  /// Records the files of a connection that has read the database. They stay the same while any process has the store
  /// open, because the last process to close it removes the WAL and its index.
  /// - Throws: `.notOpen` if the connection has mapped a different index; `.io` if the system does not tell what is there.
  package init(of connection: Connection, hasLog: Bool = true) throws(StoreError) {
    try self.init(at: connection.path, hasLog: hasLog)
    // The order matters: if the mapped index is in place now, it was in place when the files were recorded.
    if hasLog { try connection.checkLogIndex() }
  }

  /// Records the files at a path.
  /// - Throws: `.io` if the system does not tell what is there.
  package init(at path: String, hasLog: Bool = true) throws(StoreError) {
    self.path = path
    self.hasLog = hasLog
    logPath = path + "-wal"
    indexPath = path + "-shm"
    store = try File(path)
    log = hasLog ? try File(logPath) : nil
    index = hasLog ? try File(indexPath) : nil
    var own = stat()
    isDirect = lstat(path, &own) == 0 && own.st_ino == store?.number && own.st_dev == store?.device
  }

  /// Like `check()`, but skips each file while their folder is unchanged.
  package mutating func check(in folder: FolderState?) throws(StoreError) {
    if isIntact(in: folder) { return }
    try check()
    checkedFolder = folder
  }

  /// Checks the files after a COMMIT. Another process that found no '-shm' may have made one from the log while this
  /// commit was not in it yet, and would overwrite it.
  /// - Throws: `.notOpen` if the commit may be lost.
  package mutating func checkCommit(in folder: FolderState?) throws(StoreError) {
    if isIntact(in: folder) { return }
    guard let (what, help) = try loss() else {
      checkedFolder = folder
      return
    }
    throw StoreError(
      .notOpen,
      "The store '\(path)' is no longer the one that was opened: \(what) while it was written. The outcome of the "
        + "save is unknown. \(help).")
  }

  private func isIntact(in folder: FolderState?) -> Bool { isDirect && folder != nil && folder == checkedFolder }

  /// Checks that the files that were opened are still in place.
  /// - Throws: `.notOpen` if they are not; `.io` if the system does not tell.
  package func check() throws(StoreError) {
    guard let (what, help) = try loss() else { return }
    throw StoreError(
      .notOpen,
      "The store '\(path)' is no longer the one that was opened: \(what). Nothing was written. \(help).")
  }

  /// The damage to the files, and what helps; nil if they are in place.
  private func loss() throws(StoreError) -> (what: String, help: String)? {
    let now = try File(path)
    guard now == store else {
      if now == nil {
        return ("it was deleted or moved away", "Put it back, or open the store that is to be used instead")
      }
      return ("another file was put in its place", "Open it again to use that one")
    }
    guard hasLog else { return nil }
    guard try File(logPath) == log else {
      return ("its file '-wal', which holds the latest saves, was removed or replaced", "Put that back")
    }
    guard try File(indexPath) == index else {
      return (
        "its file '-shm', through which processes see each other's saves, was removed or replaced",
        "Close it in all programs, and open it again"
      )
    }
    return nil
  }
}
