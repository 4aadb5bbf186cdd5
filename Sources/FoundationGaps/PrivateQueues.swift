import Foundation
import Synchronization

/// Serial queues of one kind, which know whether a thread is on them.
///
/// They are used again, because a queue that is freed with a specific value frees that on a global queue, and the first
/// block of a global queue starts a thread that wakes the process once a second for the rest of its life.
package final class PrivateQueues: Sendable {
  private let label: String
  private let key = DispatchSpecificKey<ObjectIdentifier>()
  private let idle = Mutex<[DispatchQueue]>([])
  private static let maximumIdle = 16

  package init(label: String) { self.label = label }

  package func take() -> DispatchQueue {
    if let queue = idle.withLock({ $0.popLast() }) { return queue }
    let queue = DispatchQueue(label: label, qos: .userInitiated)
    queue.setSpecific(key: key, value: ObjectIdentifier(queue))
    return queue
  }

  /// Takes back a queue. The last block of its former owner may still be ending on it.
  package func giveBack(_ queue: DispatchQueue) {
    idle.withLock { if $0.count < Self.maximumIdle { $0.append(queue) } }
  }

  /// The queue that the caller is on, if it is one of these.
  package var current: ObjectIdentifier? { DispatchQueue.getSpecific(key: key) }
}
