import Glibc

/// Wakes a thread that blocks in `poll`: a pipe whose bytes have no meaning.
struct WakeupPipe: Sendable {
  /// Readable after `signal` until `drain`.
  let descriptor: Int32
  private let writeEnd: Int32

  /// - Throws: `SignalError` if the process has no descriptor left.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SignalError.system(errno, what: "make a pipe to wake the watcher") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, writeEnd) = (ends[0], ends[1])
  }

  /// If the pipe is full, the write fails harmlessly: it is readable already.
  func signal() {
    var byte: UInt8 = 0
    _ = write(writeEnd, &byte, 1)
  }

  func drain() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, 256) == 256 {}
  }

  func close() {
    _ = Glibc.close(descriptor)
    _ = Glibc.close(writeEnd)
  }
}
