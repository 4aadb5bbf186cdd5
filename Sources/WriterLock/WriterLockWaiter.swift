import Dispatch
import Foundation
import Synchronization

/// A thread that stands in the kernel's queue, so that the writer can give up waiting.
///
/// It is started when the lock is first found taken. If the writer gives up, the thread stays in the queue; should
/// the lock come before the next writer, it is given back at once.
final class WriterLockWaiter: Sendable {
  private enum State {
    case resting
    case queued(isWanted: Bool)
    case ended
  }

  let file: WriterLockFile
  private let state = Mutex(State.resting)
  private let failure = Mutex<(any Error)?>(nil)
  private let start = DispatchSemaphore(value: 0)
  private let granted = DispatchSemaphore(value: 0)

  init(path: String, storePath: String) throws {
    file = try WriterLockFile(path: path, storePath: storePath)
    let thread = Thread { [self] in run() }
    thread.name = "writer-lock"
    thread.stackSize = 256 << 10
    thread.start()
  }

  /// For one caller at a time.
  /// - Returns: whether the lock is had, through `file`.
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
