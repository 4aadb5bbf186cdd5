import Glibc

/// Wakes a thread that blocks in `poll`: a pipe whose bytes have no meaning.
struct Bell: Sendable {
  /// Readable after `ring` until `silence`.
  let descriptor: Int32
  private let hammer: Int32

  /// - Throws: `SignalError` if the process has no descriptor left.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SignalError.system(errno, "make a pipe to wake the watcher") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, hammer) = (ends[0], ends[1])
  }

  /// If the pipe is full, the write fails harmlessly: it is readable already.
  func ring() {
    var byte: UInt8 = 0
    _ = write(hammer, &byte, 1)
  }

  func silence() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, 256) == 256 {}
  }

  func close() {
    _ = Glibc.close(descriptor)
    _ = Glibc.close(hammer)
  }
}
