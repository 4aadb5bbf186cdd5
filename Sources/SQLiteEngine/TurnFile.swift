import Dispatch
import Foundation
import Synchronization

/// One open file on `<store>-turn`; the lock belongs to it.
struct TurnFile: Sendable {
  let path: String
  let descriptor: Int32
  private let identity: stat

  init(path: String, storePath: String) throws {
    let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
    var descriptor = open(path, flags | O_CREAT | O_EXCL, 0o600)
    if descriptor >= 0 {
      var store = stat()
      if stat(storePath, &store) == 0 {
        // Who may write the store must be able to queue. Where that is not ours to give, 0600 stays.
        if store.st_uid != geteuid() || store.st_gid != getegid() { _ = fchown(descriptor, store.st_uid, store.st_gid) }
        _ = fchmod(descriptor, store.st_mode & 0o666)
      }
    } else if errno == EEXIST {
      // O_CREAT: it may have been deleted since.
      descriptor = open(path, flags | O_CREAT, 0o600)
    }
    guard descriptor >= 0 else {
      let help =
        errno == ELOOP
        ? "it is a symbolic link, which is refused: delete it"
        : "the folder of the store and the file must be writable for all who write the store"
      throw TurnError.system(errno, "open '\(path)'", help: help)
    }
    var identity = stat()
    _ = fstat(descriptor, &identity)
    self.path = path
    self.descriptor = descriptor
    self.identity = identity
  }

  func close() { _ = Glibc.close(descriptor) }

  /// False when somebody else has the turn, or stands next in the queue. One lock of both
  /// bytes, and of the one between them, which is nobody's, asks the system once less.
  func tryLock() throws -> Bool {
    guard try set(F_WRLCK, on: Self.turn...Self.queue, Self.setLock) else { return false }
    drop(Self.turn + 1...Self.queue)
    return true
  }

  /// Waits as long as it takes: the kernel knows no time-out for it.
  func lockWaiting() throws {
    _ = try set(F_WRLCK, on: Self.queue...Self.queue, Self.setLockWaiting)
    defer { drop(Self.queue...Self.queue) }
    _ = try set(F_WRLCK, on: Self.turn...Self.turn, Self.setLockWaiting)
  }

  func unlock() { drop(Self.turn...Self.turn) }

  /// Whether the path still leads to this file.
  func isStill(at path: String) -> Bool {
    var found = stat()
    return lstat(path, &found) == 0 && isSame(found)
  }

  private func isSame(_ other: stat) -> Bool { other.st_ino == identity.st_ino && other.st_dev == identity.st_dev }

  /// Who has the file open. The kernel tells no process for an OFD lock (/proc/locks shows -1), so these are all who
  /// may have the turn; processes of other users are not shown.
  /// - Parameter own: the descriptors of the one who asks.
  func holders(besides own: [Int32]) -> String {
    let names = Self.numbers(in: "/proc").sorted().filter { isOpen(in: $0, besides: own) }.map { process in
      let command = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
      let name = command.trimmingCharacters(in: .whitespacesAndNewlines)
      return process == getpid() ? "\(process) (\(name), this process)" : "\(process) (\(name))"
    }
    if names.isEmpty { return "a process of another user has it" }
    return "one of these processes has it: " + names.joined(separator: ", ")
  }

  private func isOpen(in process: Int32, besides own: [Int32]) -> Bool {
    Self.numbers(in: "/proc/\(process)/fd").contains { descriptor in
      if process == getpid(), own.contains(descriptor) { return false }
      var other = stat()
      return stat("/proc/\(process)/fd/\(descriptor)", &other) == 0 && isSame(other)
    }
  }

  private static func numbers(in folder: String) -> [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int32($0) }
  }

  /// The byte whose lock is the turn, and the byte that is held from one's coming to the head of the queue until one
  /// has the turn. Without the second, whoever gives the turn back and wants it again is faster than those who have
  /// yet to wake up.
  private static let turn: Int64 = 0
  private static let queue: Int64 = 2

  // fcntl(2): F_OFD_SETLK and F_OFD_SETLKW, which the module of the C library does not show.
  private static let setLock: Int32 = 37
  private static let setLockWaiting: Int32 = 38

  /// False when somebody else has the lock and `command` does not wait.
  private func set(_ type: Int32, on bytes: ClosedRange<Int64>, _ command: Int32) throws -> Bool {
    while true {
      var request = flock(
        l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: Int(bytes.lowerBound), l_len: bytes.count, l_pid: 0)
      if fcntl(descriptor, command, &request) == 0 { return true }
      switch errno {
      case EINTR: continue
      case EAGAIN, EACCES: return false
      default:
        throw TurnError.system(
          errno, "lock '\(path)'", help: "the file system must support OFD locks, as local ones do")
      }
    }
  }

  // MARK: - The count

  /// Where the file keeps a number.
  private static let countPlace = 8

  /// The number in a file: 0 if there is no file or none in it, nil if that cannot be found out now.
  static func count(in path: String) -> Int64? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT ? 0 : nil }
    defer { _ = Glibc.close(descriptor) }
    return count(in: descriptor)
  }

  private static func count(in descriptor: Int32) -> Int64? {
    var count: Int64 = 0
    let read = pread(descriptor, &count, MemoryLayout<Int64>.size, countPlace)
    return read < 0 ? nil : count
  }

  /// Makes the number greater by one. By whoever has the turn.
  func raiseCount() {
    var count = (Self.count(in: descriptor) ?? 0) &+ 1
    // A number that cannot be written costs others a reading of their objects, and no more.
    _ = pwrite(descriptor, &count, MemoryLayout<Int64>.size, Self.countPlace)
  }

  /// Giving back a lock of one's own bytes cannot fail.
  private func drop(_ bytes: ClosedRange<Int64>) { _ = try? set(F_UNLCK, on: bytes, Self.setLock) }
}
