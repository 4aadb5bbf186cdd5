import Foundation
import StrataRowStore

extension Connection {
  /// Checks that SQLite has mapped the index of the log that is in the store's folder. Does nothing where /proc cannot be
  /// read.
  ///
  /// SQLite maps one index for all connections of a process and keeps using it after the file is deleted. Another process
  /// then creates a new one. The two no longer see each other's commits, and both write at the same place in the log. The
  /// path alone does not show this, because the new file is there.
  /// - Parameter afterCommit: whether something was just committed; selects the wording of the error.
  /// - Throws: `.notOpen` if it is another file.
  package func checkLogIndex(afterCommit: Bool = false) throws(StoreError) {
    guard let logIndex = findLogIndex(), let mapped = MappedFile.path(at: logIndex) else { return }
    // The device in /proc is not that of stat(2) on some file systems, so both sides are paths. The kernel escapes a newline.
    let used = Self.identity(of: mapped.replacingOccurrences(of: "\\012", with: "\n"))
    let found = Self.identity(of: path + "-shm")
    // A file is lost only if it is known to be.
    if used == .unknown || found == .unknown || (used == found && found != .missing) { return }
    throw StoreError(
      .notOpen,
      "Cannot use the store '\(path)': its file '-shm', through which processes see each other's saves, was removed "
        + "or replaced while this process had it open. "
        + (afterCommit ? "The outcome of the last write is unknown. " : "Nothing was written. ")
        + "Close the store in all programs, and open it again.")
  }

  private enum FileIdentity: Equatable {
    case missing
    case unknown
    case file(device: dev_t, number: ino_t)
  }

  private static func identity(of path: String) -> FileIdentity {
    var found = stat()
    guard stat(path, &found) != 0 else { return .file(device: found.st_dev, number: found.st_ino) }
    return [ENOENT, ENOTDIR, ELOOP].contains(errno) ? .missing : .unknown
  }
}
