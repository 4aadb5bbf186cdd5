import Glibc

/// The kind of a file system entry. Opening a FIFO waits for its other end, and a device may return anything.
package enum FileKind {
  /// The kind of an entry that is not a file: "a folder"; nil for a file.
  package static func other(_ status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something else"
    }
  }

  /// The kind of an entry at a path that is not a file, after symbolic links; nil for a file or a missing entry.
  package static func other(at path: String) -> String? {
    var status = stat()
    return stat(path, &status) == 0 ? other(status) : nil
  }
}
