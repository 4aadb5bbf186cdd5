import Foundation
import StrataRowStore
import StrataSQLiteEngine
import StrataSupport

/// The path of a store's file.
///
/// The files next to a store (`-wal`, `-shm`, `-turn`, `-readers`, `-notify`, external data) are found by its path. Two
/// paths to one file would mean two writer locks and two logs. So symbolic links are resolved once, when the store is
/// opened, and a file that has several names of its own is refused.
extension URL {
  /// The store's path with symbolic links resolved.
  /// - Throws: `.unsupported` for a file with more than one hard link. A guest may read it, because it takes no locks and
  ///   reads again what changes.
  func storePath(isReadOnly: Bool = false) throws -> String {
    let path = resolvedPath
    var found = stat()
    guard stat(path, &found) == 0 else {
      guard errno == ELOOP else { return path }
      throw StoreError(
        .notOpen, "Cannot open the store '\(path)': it is a symbolic link that leads to itself. Delete it.")
    }
    guard found.st_mode & S_IFMT == S_IFREG, found.st_nlink > 1, !(isReadOnly && GuestView.isGuest(at: path)) else {
      return path
    }
    throw StoreError(
      .unsupported,
      "Cannot open the store '\(path)': the file has \(found.st_nlink) names (hard links). Programs that open it by "
        + "different names would not see each other's locks and log, and damage it. Delete the other names, which "
        + "'find -samefile' lists, or replace this one by a copy.")
  }
}
