import Foundation
import StrataRowStore

extension Connection {
  /// Checks that the index of the log that SQLite works with is the one in the folder of the database.
  ///
  /// SQLite maps one index for all connections of a process, and goes on with it after the file was deleted. Other
  /// processes then make a new one, and neither they nor this one see what the other writes: both write the same place in
  /// the log. A look at the path does not tell, because it finds the new file.
  /// - Parameter isWritten: whether a transaction was committed since the last check.
  /// - Throws: `.notOpen` if it is another file.
  package func checkLogIndex(isWritten: Bool = false) throws(StoreError) {
    guard walSnapshot != nil, let logIndex, let mapped = MappedFile.path(at: logIndex) else { return }
    // The system writes a line break so.
    let name = (path as NSString).lastPathComponent.replacingOccurrences(of: "\n", with: "\\012") + "-shm"
    guard !mapped.hasSuffix("/" + name) else { return }
    throw StoreError(
      .notOpen,
      "Cannot use the store '\(path)': its file '-shm', through which processes see each other's saves, was removed or "
        + "replaced while this process had it open. "
        + (isWritten ? "Whether the last write is kept is not known. " : "Nothing was written. ")
        + "Close the store in all programs, and open it again.")
  }
}
