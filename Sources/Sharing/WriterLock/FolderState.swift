import Glibc

/// Detects changes of a folder's entries with one system call: while it is equal, no file was added, removed, renamed
/// or replaced. A save that checks each of its files spends longer in system calls than in writing rows.
package struct FolderState: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t
  private let seconds: Int
  private let nanoseconds: Int

  /// Twice the tick of the coarsest clock that Linux uses for change times.
  private static let clockStep = 0.02

  /// The folder's current state; nil if `stat` fails, or if it changed so recently that another change could get the
  /// same time. Always nil on a file system with whole-second times.
  package init?(of folder: String) {
    var found = stat()
    var now = timespec()
    // Passing a String to C directly would copy it first.
    guard folder.withCString({ stat($0, &found) }) == 0, found.st_ctim.tv_nsec != 0,
      clock_gettime(CLOCK_REALTIME, &now) == 0
    else { return nil }
    // ctime: unlike the modification time, programs that restore a folder cannot set it back.
    let age =
      Double(now.tv_sec - found.st_ctim.tv_sec) + Double(now.tv_nsec - found.st_ctim.tv_nsec) / 1_000_000_000
    guard age > Self.clockStep else { return nil }
    (device, number) = (found.st_dev, found.st_ino)
    (seconds, nanoseconds) = (found.st_ctim.tv_sec, found.st_ctim.tv_nsec)
  }
}
