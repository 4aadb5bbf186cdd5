import Synchronization

/// Lets one task at a time continue, in the order in which they arrived.
final class RetryQueue: Sendable {
  private struct State {
    var isOccupied = false
    var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    /// The number of tasks that ever came, which is also that of the newest one.
    var count = 0
  }

  private let state = Mutex(State())

  /// Waits until all who entered before have left.
  /// - Throws: `CancellationError` as soon as the task is canceled. Then it did not enter, and must not leave.
  func enter() async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          // A task that is canceled after this line finds itself in the list.
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.isOccupied {
            state.waiting.append((number, continuation))
            return nil
          }
          state.isOccupied = true
          return .success(())
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func giveUp(_ number: Int) {
    let canceled: CheckedContinuation<Void, any Error>? = state.withLock { state in
      state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
    }
    canceled?.resume(throwing: CancellationError())
  }

  func leave() {
    let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
      state.isOccupied = !state.waiting.isEmpty
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst().continuation
    }
    next?.resume()
  }
}
