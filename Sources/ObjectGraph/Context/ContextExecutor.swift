import Foundation
import Synchronization

/// The queue of a context.
final class ContextExecutor: @unchecked Sendable {
  // Sendable: `isBelowMainQueue` is set while the context has no objects, and the lock of `MainQueueHandoff` guards `blocks`.

  let concurrencyType: NSManagedObjectContextConcurrencyType
  let queue: DispatchQueue
  /// The lock behind `NSManagedObjectContext.lock()`.
  let lock = NSRecursiveLock()
  /// Whether a context above uses the main queue, and this one does not.
  var isBelowMainQueue = false
  /// The number of running and waiting blocks on the queue of a context below the main queue.
  var blocks = 0
  /// The blocks that others have enqueued for a context whose owner uses it without a queue; nil for all other contexts.
  let confined: ConfinedBlocks?

  init(_ concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    queue = concurrencyType == .mainQueueConcurrencyType ? ContextQueue.main : ContextQueue.others.take()
    confined = nil
  }

  /// - Parameter confined: nothing: the context has no queue, and its owner uses it on one thread at a time.
  init(confined: Void) {
    concurrencyType = .privateQueueConcurrencyType
    queue = ContextQueue.others.take()
    self.confined = ConfinedBlocks()
  }

  deinit {
    if queue !== ContextQueue.main { ContextQueue.others.giveBack(queue) }
  }
}

/// Blocks for a context whose owner uses it without a queue.
final class ConfinedBlocks: Sendable {
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  /// Adds a block, on any thread.
  func add(_ block: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(block) } }

  /// Runs what waits, and what that adds, on the owner's thread.
  func run() {
    while let block = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { block() }
  }
}
