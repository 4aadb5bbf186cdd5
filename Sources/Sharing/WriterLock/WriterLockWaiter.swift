import Dispatch
import Foundation
import Synchronization

/// A thread that waits in the kernel's queue, so that the writer can time out.
///
/// Started when the lock is first found taken. If the writer times out, the thread stays queued; if it gets the lock
/// before the next writer asks, it releases it immediately.
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
  /// - Parameters:
  ///   - warningDelay: the number of seconds of waiting after which to call `warn`.
  /// - Returns: whether the lock was acquired, through `file`.
  func wait(until end: DispatchTime, warningDelay: Double, warn: () -> Void) throws -> Bool {
    let mustStart = state.withLock { state -> Bool in
      defer { state = .queued(isWanted: true) }
      if case .resting = state { return true }
      return false
    }
    if mustStart { start.signal() }
    let warningTime = min(.now() + warningDelay, end)
    var isGranted = granted.wait(timeout: warningTime) == .success
    if !isGranted, warningTime < end {
      warn()
      isGranted = granted.wait(timeout: end) == .success
    }
    if !isGranted {
      let gaveUp = state.withLock { state -> Bool in
        guard case .queued = state else { return false }
        state = .queued(isWanted: false)
        return true
      }
      if gaveUp { return false }
      // Granted at the very last moment: consume the signal.
      granted.wait()
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return true
  }

  func unlock() { file.unlock() }

  /// Ends the thread, which closes the file once it is out of the queue.
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

  /// Hands a granted lock to the waiting writer; returns false if the thread should end.
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
