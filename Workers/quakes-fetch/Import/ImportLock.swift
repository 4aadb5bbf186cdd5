import Foundation
import StrataQuakes

/// Held from the first look into the Catalog to the last save by whatever changes earthquakes.
///
/// Two imports at once would each insert an earthquake that the other knows by another id, and nothing in the store would
/// conflict. The kernel releases a dead process's lock.
struct ImportLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for an import of another process to end.
  ///
  /// - Parameter isStopped: whether to give up.
  /// - Throws: `Failure` with status 4 if the file cannot be locked, 75 after giving up.
  init(_ location: StoreLocation, isStopped: () -> Bool) throws(Failure) {
    let path = location.folder.appendingPathComponent("quakes-import.lock").path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        .storeUnavailable, "cannot open \(path): \(Failure.systemError()); check the permissions of its folder")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.storeUnavailable, "cannot use \(path): it is no file; move it away")
    }
    // Not fcntl's locks: those end when the process closes any descriptor of the file.
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw Failure(.storeUnavailable, "cannot lock \(path): \(Failure.systemError())")
      }
      if isStopped() {
        throw Failure(.busy, "nothing was imported: told to stop while another process imports into \(path)")
      }
      usleep(5_000)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
