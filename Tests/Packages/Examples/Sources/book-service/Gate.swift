/// Lets a number of tasks run at a time. The others wait without a thread.
actor Gate {
  private var free: Int
  private var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  private var lastID = 0

  init(_ count: Int) { free = count }

  /// - Throws: `CancellationError` if the task is canceled while it waits, and what `body` throws.
  nonisolated func run<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
    try await enter()
    do {
      let result = try await body()
      await leave()
      return result
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async throws {
    try Task.checkCancellation()
    guard free == 0 else {
      free -= 1
      return
    }
    lastID += 1
    let id = lastID
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          waiting.append((id, continuation))
        }
      }
    } onCancel: {
      Task { await cancel(id) }
    }
  }

  /// The task may have entered in the meantime: then it runs.
  private func cancel(_ id: Int) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index).continuation.resume(throwing: CancellationError())
  }

  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().continuation.resume() }
  }
}
