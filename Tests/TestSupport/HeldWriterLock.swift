import Foundation

/// The writer lock of a store, held as by another process: through a separate open file.
public struct HeldWriterLock {
  private let descriptor: Int32

  // fcntl(2): F_OFD_GETLK and F_OFD_SETLKW, which the C library's module does not export.
  private static let getLock: Int32 = 36
  private static let setLockWaiting: Int32 = 38
  /// The byte of the writer lock, and the byte of the first waiting writer.
  private static let (writer, queue) = (0, 2)

  /// Waits for the lock and acquires it.
  public init(of store: URL) throws {
    descriptor = open(store.path + "-turn", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    var request = Self.request(Self.writer)
    guard descriptor >= 0, fcntl(descriptor, Self.setLockWaiting, &request) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// Whether a writer waits for the lock.
  public func hasWaiter() throws -> Bool {
    var request = Self.request(Self.queue)
    guard fcntl(descriptor, Self.getLock, &request) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return request.l_type != Int16(F_UNLCK)
  }

  public func release() { close(descriptor) }

  private static func request(_ byte: Int) -> flock {
    flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: byte, l_len: 1, l_pid: 0)
  }
}
