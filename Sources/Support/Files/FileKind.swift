import Glibc

/// What has the name of a file. Opening a FIFO waits for its other end, and a device may answer anything.
package enum FileKind {
  /// What is there in place of a file: "a folder"; nil for a file.
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

  /// What is at a path in place of a file, at the end of symbolic links; nil for a file, or if nothing is there.
  package static func other(at path: String) -> String? {
    var status = stat()
    return stat(path, &status) == 0 ? other(status) : nil
  }
}
