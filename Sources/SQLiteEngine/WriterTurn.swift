import Dispatch
import Foundation
import Synchronization

/// Why a writer did not get its turn: who has it, what failed, what would help.
package struct TurnError: Error, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// The deadline passed while another writer had the turn.
    case timedOut
    /// A system call failed with this `errno`.
    case system(Int32)
    /// The turn was closed, or came here by `fork`: the child shares the parent's lock and would not exclude it.
    case unusable
  }

  package let kind: Kind
  package let message: String
  package var description: String { message }

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  static func system(_ code: Int32, _ what: String, help: String) -> TurnError {
    TurnError(.system(code), "cannot \(what): \(String(cString: strerror(code))) (errno \(code)); \(help)")
  }
}

/// The fair queue of a store's writers, over threads and processes: who has the turn may BEGIN IMMEDIATE or
/// checkpoint. SQLite's own waiting starves (8 writers of 2 ms each: the worst waits 6.4 s; here 48 ms).
///
/// The turn is an OFD write lock on byte 0 of `<store>-turn`. Such a lock belongs to the open file, not to the
/// process: two objects on one store exclude each other within a process too, and a writer that is killed gives its
/// turn back. The file is opened once and stays open, since closing a file that was open for writing wakes everybody
/// who watches the folder. Readers never need the turn (invariant 7).
///
/// Unchecked because the descriptors change under `line` alone: by whoever stands first in it.
package final class WriterTurn: @unchecked Sendable {
  /// The lock's file.
  package let path: String

  private let process = getpid()
  private let line = LocalLine()
  /// The file, and the second open file through which the waiter stands in the kernel's queue.
  private var main: TurnFile
  private var waiter: TurnWaiter?
  /// Where the lock is while we have the turn.
  private var isHeldByWaiter = false
  private var isClosed = false

  /// Opens `<store>-turn`, and makes it with the rights of the store (0600 while there is none) when it is missing.
  /// - Throws: `TurnError`, for a symbolic link too.
  package init(storePath: String) throws {
    path = storePath + "-turn"
    main = try TurnFile(path: path, storePath: storePath)
    self.storePath = storePath
  }

  private let storePath: String

  deinit { closeFiles() }

  /// Takes the turn; to be given back with `release`. Must not be called by a thread that has it.
  /// - Parameter seconds: how long to wait at most.
  /// - Throws: `TurnError`, `.timedOut` with the names of the processes that may have the turn.
  package func take(deadline seconds: Double) throws {
    guard getpid() == process else {
      throw TurnError(.unusable, "'\(path)' was opened by process \(process) before a fork; open the store anew")
    }
    let end = DispatchTime.now() + seconds
    guard line.enter(until: end) else { throw timedOut(seconds, byThread: true) }
    do {
      guard !isClosed else { throw TurnError(.unusable, "'\(path)' was closed; open the store again to write") }
      try lock(until: end, seconds)
    } catch {
      line.leave()
      throw error
    }
  }

  /// Gives the turn back: to the next thread of this process or to the next process, whoever has waited longer.
  package func release() {
    if isHeldByWaiter {
      waiter?.unlock()
      isHeldByWaiter = false
    } else {
      main.unlock()
    }
    line.leave()
  }

  package func withTurn<T>(deadline seconds: Double, _ body: () throws -> T) throws -> T {
    try take(deadline: seconds)
    defer { release() }
    return try body()
  }

  /// Closes the file, once whoever has the turn has given it back. Must not be called by a thread that has it.
  package func close() {
    _ = line.enter(until: .distantFuture)
    defer { line.leave() }
    closeFiles()
  }

  // MARK: - As the first in line

  private func lock(until end: DispatchTime, _ seconds: Double) throws {
    while true {
      if try main.tryLock() {
        isHeldByWaiter = false
      } else {
        if waiter == nil { waiter = try TurnWaiter(path: path, storePath: storePath) }
        guard try waiter?.wait(until: end) == true else { throw timedOut(seconds, byThread: false) }
        isHeldByWaiter = true
      }
      let file = isHeldByWaiter ? waiter?.file : main
      if file?.isStill(at: path) == true { return }
      try reopen()
    }
  }

  /// The file was deleted or replaced. A lock on what nobody else can find excludes nobody: take the new file.
  private func reopen() throws {
    let fresh = try TurnFile(path: path, storePath: storePath)
    closeFiles()
    isClosed = false
    isHeldByWaiter = false
    waiter = nil
    main = fresh
  }

  private func closeFiles() {
    guard !isClosed else { return }
    isClosed = true
    if isHeldByWaiter { waiter?.unlock() }
    main.close()
    waiter?.end()
  }

  private func timedOut(_ seconds: Double, byThread: Bool) -> TurnError {
    let own = [main.descriptor, waiter?.file.descriptor ?? -1]
    let others = byThread ? "another thread of this process (\(process)) has it" : main.holders(besides: own)
    return TurnError(
      .timedOut,
      "the turn to write '\(storePath)' did not come within \(seconds) s: \(others); "
        + "end a process that hangs there, or wait longer")
  }
}

/// The threads that want one and the same turn, first come, first served.
private final class LocalLine: Sendable {
  private final class Place: Sendable {
    let called = DispatchSemaphore(value: 0)
  }

  private struct State {
    var isTaken = false
    var waiting: [Place] = []
  }

  private let state = Mutex(State())

  /// False when the time was over first.
  func enter(until end: DispatchTime) -> Bool {
    let place = state.withLock { state -> Place? in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      state.waiting.append(Place())
      return state.waiting.last
    }
    guard let place, place.called.wait(timeout: end) == .timedOut else { return true }
    // Called at the very last moment: then no longer among those who wait, and the turn is ours after all.
    return state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0 === place }) else { return true }
      state.waiting.remove(at: index)
      return false
    }
  }

  func leave() {
    state.withLock { state in
      if state.waiting.isEmpty { state.isTaken = false } else { state.waiting.removeFirst().called.signal() }
    }
  }
}

/// One open file on `<store>-turn`; the lock belongs to it.
private struct TurnFile: Sendable {
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

  /// False when somebody else has the turn, or stands next in the queue.
  func tryLock() throws -> Bool {
    guard try set(F_WRLCK, on: Self.queue, Self.setLock) else { return false }
    defer { drop(Self.queue) }
    return try set(F_WRLCK, on: Self.turn, Self.setLock)
  }

  /// Waits as long as it takes: the kernel knows no time-out for it.
  func lockWaiting() throws {
    _ = try set(F_WRLCK, on: Self.queue, Self.setLockWaiting)
    defer { drop(Self.queue) }
    _ = try set(F_WRLCK, on: Self.turn, Self.setLockWaiting)
  }

  func unlock() { drop(Self.turn) }

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
  private func set(_ type: Int32, on byte: Int64, _ command: Int32) throws -> Bool {
    while true {
      var request = flock(
        l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: Int(byte), l_len: 1, l_pid: 0)
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

  /// Giving back a lock of one's own byte cannot fail.
  private func drop(_ byte: Int64) { _ = try? set(F_UNLCK, on: byte, Self.setLock) }
}

/// A thread that stands in the kernel's queue, so that the writer can give up waiting.
///
/// It is started when the turn is first taken already. If the writer gives up, the thread stays in the queue; should
/// the lock come before the next writer, it is given back at once.
private final class TurnWaiter: Sendable {
  private enum State {
    case resting
    case queued(isWanted: Bool)
    case ended
  }

  let file: TurnFile
  private let state = Mutex(State.resting)
  private let failure = Mutex<(any Error)?>(nil)
  private let start = DispatchSemaphore(value: 0)
  private let granted = DispatchSemaphore(value: 0)

  init(path: String, storePath: String) throws {
    file = try TurnFile(path: path, storePath: storePath)
    let thread = Thread { [self] in run() }
    thread.name = "writer-turn"
    thread.stackSize = 256 << 10
    thread.start()
  }

  /// True: the lock is had, through `file`. For one caller at a time.
  func wait(until end: DispatchTime) throws -> Bool {
    let mustStart = state.withLock { state -> Bool in
      defer { state = .queued(isWanted: true) }
      if case .resting = state { return true }
      return false
    }
    if mustStart { start.signal() }
    if granted.wait(timeout: end) == .timedOut {
      let gaveUp = state.withLock { state -> Bool in
        guard case .queued = state else { return false }
        state = .queued(isWanted: false)
        return true
      }
      if gaveUp { return false }
      // It came at the very last moment.
      granted.wait()
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return true
  }

  func unlock() { file.unlock() }

  /// The thread closes the file, as soon as it is out of the queue.
  func end() {
    let mustStart = state.withLock { state -> Bool in
      defer { state = .ended }
      if case .resting = state { return true }
      return false
    }
    if mustStart { start.signal() }
  }

  private func run() {
    while true {
      start.wait()
      if hasEnded { break }
      var problem: (any Error)?
      do { try file.lockWaiting() } catch { problem = error }
      failure.withLock { [problem] in $0 = problem }
      if !handOver() { break }
    }
    file.close()
  }

  private var hasEnded: Bool {
    state.withLock { state in
      if case .ended = state { return true }
      return false
    }
  }

  /// False when the thread is to end.
  private func handOver() -> Bool {
    state.withLock { state in
      switch state {
      case .queued(isWanted: true):
        state = .resting
        granted.signal()
        return true
      case .queued(isWanted: false), .resting:
        file.unlock()
        state = .resting
        return true
      case .ended:
        return false
      }
    }
  }
}
