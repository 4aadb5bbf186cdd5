import Testing

@testable import book_service

struct GateTests {
  @Test func `a task that is canceled while it waits leaves the queue`() async throws {
    let gate = Gate(1)
    let (entered, entry) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await gate.run {
        entry.finish()
        for await _ in ended {}
      }
    }
    for await _ in entered {}
    let second = Task { try await gate.run { Issue.record("The canceled task has entered.") } }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    let third = Task { try await gate.run { 3 } }
    end.finish()
    try await first.value
    #expect(try await third.value == 3)
  }
}
