import Dispatch
import Foundation
import Synchronization

/// A fair (FIFO) lock between the threads of a process.
final class FairLock: Sendable {
  private final class Waiter: Sendable {
    let isNext = DispatchSemaphore(value: 0)
  }

  private struct State {
    var isLocked = false
    var waiters: [Waiter] = []
  }

  private let state = Mutex(State())

  /// - Returns: false on time-out.
  func lock(until deadline: DispatchTime) -> Bool {
    let waiter = state.withLock { state -> Waiter? in
      guard state.isLocked else {
        state.isLocked = true
        return nil
      }
      state.waiters.append(Waiter())
      return state.waiters.last
    }
    guard let waiter, waiter.isNext.wait(timeout: deadline) == .timedOut else { return true }
    // If it was granted at the last moment, it is no longer in the queue, and the lock is ours.
    return state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0 === waiter }) else { return true }
      state.waiters.remove(at: index)
      return false
    }
  }

  func unlock() {
    state.withLock { state in
      if state.waiters.isEmpty { state.isLocked = false } else { state.waiters.removeFirst().isNext.signal() }
    }
  }
}
