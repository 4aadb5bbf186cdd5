import Foundation

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

  init(_ concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    queue = concurrencyType == .mainQueueConcurrencyType ? ContextQueue.main : ContextQueue.others.take()
  }

  deinit {
    if queue !== ContextQueue.main { ContextQueue.others.giveBack(queue) }
  }
}
