import Glibc
import StrataSupport

/// An open file next to a store with byte-range locks and small numbers: `<store>-turn` and `<store>-readers`.
///
/// The locks belong to the open file description, not to the process (`F_OFD_SETLK`): two objects in one process
/// exclude each other too, and the kernel releases them when the process dies. See fcntl(2).
package struct LockFile: Sendable {
  package enum Use: Sendable {
    case reading
    /// Creates a missing file with the owner and permissions of the store.
    case writing(besideStore: String)
  }

  /// A failed system call.
  package struct Failure: Error {
    /// The operation that failed: "open", "lock".
    package let operation: String
    package let code: Int32
    package let reason: String

    package init(operation: String, code: Int32, reason: String? = nil) {
      (self.operation, self.code) = (operation, code)
      self.reason = reason ?? String(cString: strerror(code))
    }
  }

  package let path: String
  package let descriptor: Int32
  private let identity: stat

  /// Opens the file.
  /// - Returns: nil if opened for reading and missing.
  /// - Throws: `ELOOP` for a symbolic link, which is never followed; `EINVAL` for anything but a file.
  package init?(path: String, for use: Use) throws(Failure) {
    let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    var descriptor: Int32
    switch use {
    case .reading:
      descriptor = open(path, O_RDONLY | flags)
      if descriptor < 0, errno == ENOENT { return nil }
    case .writing(let storePath):
      guard StorePermissions.mayCreate(besideStore: storePath) else {
        descriptor = open(path, O_RDWR | flags)
        if descriptor < 0, errno == ENOENT {
          throw Failure(operation: "create", code: EACCES, reason: "only users who may write the store may create it")
        }
        break
      }
      descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | flags, Self.privateMode)
      if descriptor >= 0 {
        StorePermissions.copy(ofStore: storePath, to: descriptor)
      } else if errno == EEXIST {
        // O_CREAT, because the file may have been deleted since the first attempt.
        descriptor = open(path, O_RDWR | O_CREAT | flags, Self.privateMode)
      }
    }
    guard descriptor >= 0 else { throw Failure(operation: "open", code: errno) }
    var identity = stat()
    _ = fstat(descriptor, &identity)
    if let kind = FileKind.other(identity) {
      _ = Glibc.close(descriptor)
      throw Failure(operation: "open", code: EINVAL, reason: "it is \(kind), not a file")
    }
    (self.path, self.descriptor, self.identity) = (path, descriptor, identity)
  }

  private static let privateMode: mode_t = 0o600

  package func close() { _ = Glibc.close(descriptor) }

  /// Whether the path still refers to this file.
  package var isInPlace: Bool {
    var found = stat()
    return lstat(path, &found) == 0 && isSame(found)
  }

  package func isSame(_ other: stat) -> Bool { other.st_ino == identity.st_ino && other.st_dev == identity.st_dev }

  // MARK: Locks

  // Glibc's module does not import these macros.
  private static let getLock: Int32 = 36  // F_OFD_GETLK
  private static let setLock: Int32 = 37  // F_OFD_SETLK
  private static let setLockWaiting: Int32 = 38  // F_OFD_SETLKW

  /// Locks bytes for writing unless another lock conflicts.
  /// - Returns: whether they are locked now.
  package func tryLock(_ bytes: ClosedRange<Int>) throws(Failure) -> Bool {
    try set(F_WRLCK, on: bytes, command: Self.setLock)
  }

  /// Locks bytes, waiting indefinitely: the kernel offers no time-out.
  package func lock(_ bytes: ClosedRange<Int>, shared isShared: Bool = false) throws(Failure) {
    _ = try set(isShared ? F_RDLCK : F_WRLCK, on: bytes, command: Self.setLockWaiting)
  }

  /// Releases bytes. Cannot fail for one's own locks.
  package func unlock(_ bytes: ClosedRange<Int>) { _ = try? set(F_UNLCK, on: bytes, command: Self.setLock) }

  /// Whether another open file has any of the bytes locked.
  package func isLocked(_ bytes: ClosedRange<Int>) throws(Failure) -> Bool {
    var request = Self.request(F_WRLCK, on: bytes)
    guard fcntl(descriptor, Self.getLock, &request) == 0 else {
      throw Failure(operation: "look at the locks of", code: errno)
    }
    return request.l_type != Int16(F_UNLCK)
  }

  private func set(_ type: Int32, on bytes: ClosedRange<Int>, command: Int32) throws(Failure) -> Bool {
    while true {
      var request = Self.request(type, on: bytes)
      if fcntl(descriptor, command, &request) == 0 { return true }
      switch errno {
      case EINTR: continue
      case EAGAIN, EACCES: return false
      default: throw Failure(operation: "lock", code: errno)
      }
    }
  }

  private static func request(_ type: Int32, on bytes: ClosedRange<Int>) -> flock {
    flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: bytes.lowerBound, l_len: bytes.count, l_pid: 0)
  }

  // MARK: Contents

  package var size: Int {
    get throws(Failure) {
      var state = stat()
      guard fstat(descriptor, &state) == 0 else { throw Failure(operation: "read", code: errno) }
      return Int(state.st_size)
    }
  }

  /// Reads at an offset, up to the end of the file.
  /// - Returns: the number of bytes read.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) -> Int {
    try transfer(buffer.count, "read") { pread(descriptor, buffer.baseAddress?.advanced(by: $0), $1, offset + $0) }
  }

  package func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(Failure) {
    let count = try transfer(buffer.count, "write") {
      pwrite(descriptor, buffer.baseAddress?.advanced(by: $0), $1, offset + $0)
    }
    guard count == buffer.count else { throw Failure(operation: "write", code: ENOSPC) }
  }

  /// Continues where a call was interrupted or transferred only a part: a registry of which only a part is read lacks
  /// readers.
  /// - Returns: the number of bytes transferred.
  private func transfer(
    _ count: Int, _ operation: String, body: (_ done: Int, _ rest: Int) -> Int
  ) throws(Failure) -> Int {
    var done = 0
    while done < count {
      switch body(done, count - done) {
      case 0: return done
      case let part where part > 0: done += part
      default: if errno != EINTR { throw Failure(operation: operation, code: errno) }
      }
    }
    return done
  }
}
