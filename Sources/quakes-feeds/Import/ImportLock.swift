import Foundation
import StrataQuakes

/// Held by each operation that changes earthquakes, from the first fetch from the Catalog to the last save.
///
/// Two concurrent imports would each insert an earthquake that the other knows by another ID, without a conflict in the
/// store. The kernel releases a dead process's lock.
struct ImportLock: ~Copyable {
  private var descriptor: Int32 = -1

  /// Waits for an import of another process to end.
  ///
  /// - Parameter isStopped: whether to give up.
  /// - Throws: `Failure` with status 4 if the file cannot be locked, 75 after giving up.
  init(_ location: StoreLocation, isStopped: () -> Bool) throws(Failure) {
    let path = location.folder.appendingPathComponent("quakes-import.lock").path
    descriptor = try PrivateFile.open(path, O_RDWR | O_CREAT)
    // Not fcntl's locks: those end when the process closes any descriptor of the file.
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw Failure(.storeUnavailable, "cannot lock \(path): \(Failure.systemError())")
      }
      if isStopped() {
        throw Failure(.busy, "nothing was imported: asked to stop while another process imports into \(path)")
      }
      usleep(5_000)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
