import Dispatch
import Foundation
import StrataRowStore
import Synchronization
import Testing

@testable import StrataSQLStore

/// The order and the deadlines of saves that wait, without a store.
@Suite struct CommitQueueTests {
  private let queue = CommitQueue()
  private let ended = DispatchGroup()
  private let groups = Collected<Int>()

  private struct TimedOut: Error {}
  private struct Refused: Error {}

  /// Takes a group, and makes its saves.
  private func succeed(_ takeGroup: () -> [QueuedCommit]) {
    let group = takeGroup()
    groups.add { group.count }
    for save in group { save.outcome = .success(CommitReceipt()) }
  }

  private func run(until end: DispatchTime = .distantFuture, _ writeGroup: CommitQueue.GroupWriting) throws {
    _ = try queue.run(QueuedCommit(ChangeBatch()), until: end, timedOut: { TimedOut() }, writeGroup: writeGroup)
  }

  /// Runs `body` on a thread of its own, and returns once it has queued a save.
  private func queued(_ body: @escaping @Sendable () -> Void) {
    let before = queue.count
    ended.enter()
    Thread.detachNewThread { [ended] in
      body()
      ended.leave()
    }
    while queue.count == before { usleep(100) }
  }

  @Test func `a save that waits times out at its own deadline, and leaves the queue`() throws {
    let lock = DispatchSemaphore(value: 0)
    queued {
      #expect(throws: Never.self) {
        try run { _, takeGroup in
          lock.wait()
          succeed(takeGroup)
        }
      }
    }
    #expect(throws: TimedOut.self) { try run(until: .now()) { _, _ in Issue.record("The second save leads.") } }
    #expect(queue.count == 1)
    queued { #expect(throws: Never.self) { try run { _, _ in Issue.record("A save that was made leads.") } } }
    lock.signal()
    ended.wait()
    #expect(groups.values == [2] && queue.count == 0)
  }

  @Test func `the next save leads, with its own deadline, after the first one has not got the lock`() throws {
    let lock = DispatchSemaphore(value: 0)
    queued {
      #expect(throws: Refused.self) {
        try run { _, _ in
          lock.wait()
          throw Refused()
        }
      }
    }
    let deadline = DispatchTime.now() + 3600
    let leaders = Collected<DispatchTime>()
    for _ in 0..<2 {
      queued {
        #expect(throws: Never.self) {
          try run(until: deadline) { end, takeGroup in
            leaders.add { end }
            succeed(takeGroup)
          }
        }
      }
    }
    lock.signal()
    ended.wait()
    #expect(leaders.values == [deadline] && groups.values == [2])
  }

  @Test func `an error after some saves of a group were made is that of the others`() throws {
    let lock = DispatchSemaphore(value: 0)
    queued {
      #expect(throws: Never.self) {
        try run { _, takeGroup in
          lock.wait()
          takeGroup()[0].outcome = .success(CommitReceipt())
          throw Refused()
        }
      }
    }
    for _ in 0..<2 { queued { #expect(throws: Refused.self) { try run { _, _ in } } } }
    lock.signal()
    ended.wait()
  }
}
