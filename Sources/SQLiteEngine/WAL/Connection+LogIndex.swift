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
    let path = mapped.replacingOccurrences(of: "\\012", with: "\n")
    var (used, found) = (stat(), stat())
    if stat(path, &used) == 0, stat(self.path + "-shm", &found) == 0, used.st_ino == found.st_ino,
      used.st_dev == found.st_dev
    {
      return
    }
    throw StoreError(
      .notOpen,
      "Cannot use the store '\(self.path)': its file '-shm', through which processes see each other's saves, was removed "
        + "or replaced while this process had it open. "
        + (afterCommit ? "The outcome of the last write is unknown. " : "Nothing was written. ")
        + "Close the store in all programs, and open it again.")
  }
}
