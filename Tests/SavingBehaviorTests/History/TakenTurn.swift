import Foundation

/// The writer lock of a store, taken as another process would: by a lock of an open file of its own.
struct TakenTurn {
  private let descriptor: Int32

  // fcntl(2): F_OFD_GETLK and F_OFD_SETLKW, which the module of the C library does not show.
  private static let getLock: Int32 = 36
  private static let setLockWaiting: Int32 = 38
  /// The bytes of the turn and of who is next.
  private static let (turn, queue) = (0, 2)

  init(of store: URL) throws {
    descriptor = open(store.path + "-turn", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    var request = Self.request(Self.turn)
    guard descriptor >= 0, fcntl(descriptor, Self.setLockWaiting, &request) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// Whether somebody stands in the queue.
  func isWaitedFor() throws -> Bool {
    var request = Self.request(Self.queue)
    guard fcntl(descriptor, Self.getLock, &request) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return request.l_type != Int16(F_UNLCK)
  }

  func giveBack() { close(descriptor) }

  private static func request(_ byte: Int) -> flock {
    flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: byte, l_len: 1, l_pid: 0)
  }
}
