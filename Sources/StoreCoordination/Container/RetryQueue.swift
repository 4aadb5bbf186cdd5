import Synchronization

/// Lets one task at a time continue, in the order in which they arrived.
final class RetryQueue: Sendable {
  private struct State {
    var isOccupied = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits until all who entered before have left.
  func enter() async {
    await withCheckedContinuation { continuation in
      let isFirst = state.withLock { state in
        if state.isOccupied { state.waiting.append(continuation) }
        defer { state.isOccupied = true }
        return !state.isOccupied
      }
      if isFirst { continuation.resume() }
    }
  }

  func leave() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      state.isOccupied = !state.waiting.isEmpty
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume()
  }
}
