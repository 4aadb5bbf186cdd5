import Dispatch
import StrataRowStore
import StrataSharing
import Synchronization

/// The small saves of all threads that use one open store, in the order in which they came. Each coordinator opens its own.
///
/// The first thread in the queue acquires the writer lock, and makes the saves behind its own too, up to a limit. So one COMMIT
/// serves many saves, and another process waits for no more than one group of them.
final class CommitQueue: Sendable {
  /// The most saves of one group. At a fifth of a millisecond each, another process waits for a few milliseconds.
  static let maximumGroup = 16

  /// The saves that no thread has taken yet. The first one leads.
  private let waiting = Mutex<[QueuedCommit]>([])

  var count: Int { waiting.withLock { $0.count } }

  /// Acquires the writer lock by a deadline, calls the function that takes the group from the queue, and makes its saves.
  typealias GroupWriting = (_ end: DispatchTime, _ takeGroup: () -> [QueuedCommit]) throws -> Void

  /// Queues a save, and returns once it was made.
  /// - Parameters:
  ///   - timedOut: makes the error of a save that no thread has taken before the deadline.
  ///   - writeGroup: called on the thread of the save that leads the queue.
  /// - Throws: the error of the save, or of the lock.
  func run(
    _ save: QueuedCommit, until end: DispatchTime, timedOut: () -> any Error, writeGroup: GroupWriting
  ) throws -> CommitReceipt {
    let isFirst = waiting.withLock { waiting in
      waiting.append(save)
      if waiting.count == 1 { save.state = .leading }
      return waiting.count == 1
    }
    if isFirst {
      try runGroup(ledBy: save, until: end, writeGroup)
    } else {
      switch wait(for: save, until: end) {
      case .leading: try runGroup(ledBy: save, until: end, writeGroup)
      case .waiting: throw timedOut()
      case .taken: break
      }
    }
    guard let outcome = save.outcome else { preconditionFailure("A queued save ended without an outcome.") }
    return try outcome.get()
  }

  /// Waits until the save leads the queue, or was made.
  /// - Returns: `waiting` on time-out. The save is not in the queue any more then.
  private func wait(for save: QueuedCommit, until end: DispatchTime) -> QueuedCommit.State {
    let isTimedOut = save.wakeup.wait(timeout: end) == .timedOut
    let state = waiting.withLock { waiting in
      if save.state == .waiting { waiting.removeAll { $0 === save } }
      return save.state
    }
    // Taken, or made the leader, at the last moment: the signal comes, and means the end of the save in the first case.
    if isTimedOut, state != .waiting { save.wakeup.wait() }
    return state
  }

  /// Makes a group of saves on the thread of the first one, and wakes the other threads.
  /// - Throws: the error of `writeGroup` if it did not take the group.
  private func runGroup(ledBy save: QueuedCommit, until end: DispatchTime, _ writeGroup: GroupWriting) throws {
    var group: [QueuedCommit] = []
    do {
      try writeGroup(end) {
        group = take()
        return group
      }
    } catch {
      guard !group.isEmpty else {
        leave(save)
        throw error
      }
      for save in group where save.outcome == nil { save.outcome = .failure(error) }
    }
    for other in group where other !== save { other.wakeup.signal() }
  }

  private func take() -> [QueuedCommit] {
    waiting.withLock { waiting in
      let group = Array(waiting.prefix(Self.maximumGroup))
      waiting.removeFirst(group.count)
      for save in group { save.state = .taken }
      Self.promoteFirst(of: waiting)
      return group
    }
  }

  /// Removes the leading save.
  private func leave(_ save: QueuedCommit) {
    waiting.withLock { waiting in
      waiting.removeAll { $0 === save }
      Self.promoteFirst(of: waiting)
    }
  }

  /// Makes the first save the leader, unless it already is.
  private static func promoteFirst(of waiting: [QueuedCommit]) {
    guard let next = waiting.first, next.state == .waiting else { return }
    next.state = .leading
    next.wakeup.signal()
  }
}
