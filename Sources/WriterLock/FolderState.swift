import Glibc

/// What a folder tells of the names in it with one question to the system: while it stays the same, no file was added to it,
/// removed, renamed or replaced. A save that asks for each of its files waits for the system longer than it writes rows.
package struct FolderState: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t
  private let seconds: Int
  private let nanoseconds: Int

  /// Twice the step of the slowest clock by which Linux notes changes.
  private static let clockStep = 0.02

  /// The folder as it is now; nil if it cannot be asked, and while another change could still be noted with the same time. A
  /// file system that counts whole seconds is never asked twice the same.
  package init?(of folder: String) {
    var found = stat()
    var now = timespec()
    // A string that is handed to C itself is copied first.
    guard folder.withCString({ stat($0, &found) }) == 0, found.st_ctim.tv_nsec != 0,
      clock_gettime(CLOCK_REALTIME, &now) == 0
    else { return nil }
    // Unlike the time of modification nobody can set this one back, as those do who restore a folder.
    let age =
      Double(now.tv_sec - found.st_ctim.tv_sec) + Double(now.tv_nsec - found.st_ctim.tv_nsec) / 1_000_000_000
    guard age > Self.clockStep else { return nil }
    (device, number) = (found.st_dev, found.st_ino)
    (seconds, nanoseconds) = (found.st_ctim.tv_sec, found.st_ctim.tv_nsec)
  }
}
