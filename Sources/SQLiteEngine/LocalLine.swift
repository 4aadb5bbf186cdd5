import Dispatch
import Foundation
import Synchronization

/// The threads that want one and the same turn, first come, first served.
final class LocalLine: Sendable {
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
