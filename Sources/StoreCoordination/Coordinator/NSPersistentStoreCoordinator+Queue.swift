import Foundation
import StrataFoundationGaps
import StrataObjectGraph

extension _BlockRunning where Self: NSPersistentStoreCoordinator {
  /// Runs a block on the coordinator's queue and waits for it. If the caller is already on the queue, the block runs
  /// immediately.
  /// - Returns: the result of the block.
  /// - Throws: the error of the block.
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try wait(for: block) }
}

/// Work on the coordinator's queue: one block at a time, from all threads.
extension NSPersistentStoreCoordinator: _BlockRunning {
  /// Runs a block on the coordinator's queue asynchronously.
  public func perform(_ block: @escaping () -> Void) {
    // The block runs on one queue, and is not kept.
    nonisolated(unsafe) let block = block
    work.queue.async { block() }
  }

  /// Runs a block on the coordinator's queue and waits for it. If the caller is already on the queue, the block runs
  /// immediately.
  ///
  /// The block may also throw, and return a result, which this method then returns.
  public func performAndWait(_ block: () -> Void) { wait(for: block) }

  fileprivate func wait<T>(for block: () throws -> T) rethrows -> T {
    try work.isCurrent ? block() : work.queue.sync(execute: block)
  }

  /// Runs a block on the coordinator's queue.
  /// - Returns: the result of the block.
  /// - Throws: the error of the block.
  public func perform<T, E: Error>(_ block: sending @escaping () throws(E) -> T) async throws(E) -> sending T {
    // The block goes to one queue, its result comes back, and neither is kept.
    nonisolated(unsafe) let block = block
    let passed = PassedBlock { Result { () throws(E) -> T in try block() } }
    nonisolated(unsafe) let result: Result<T, E> = await withCheckedContinuation { continuation in
      work.queue.async {
        nonisolated(unsafe) let result = passed.run()
        continuation.resume(returning: result)
      }
    }
    nonisolated(unsafe) let value = try result.get()
    return value
  }

  /// Returns the ID for a URI as a string; nil if it is not the URI of an object, or if its store is not in the
  /// coordinator.
  public func managedObjectID(for string: String) -> NSManagedObjectID? {
    URL(string: string).flatMap { managedObjectID(forURIRepresentation: $0) }
  }
}

/// The lock from before coordinators had queues. It excludes only others who take it too.
extension NSPersistentStoreCoordinator: NSLocking {
  /// Acquires the coordinator's lock, which keeps out only callers of this method.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func lock() { work.lock.lock() }

  /// Releases the coordinator's lock.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func unlock() { work.lock.unlock() }

  /// Acquires the coordinator's lock if it is free.
  /// - Returns: whether the lock was acquired.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func tryLock() -> Bool { work.lock.try() }
}

/// The queue and the lock that a coordinator lends to programs.
final class CoordinatorWork: Sendable {
  private static let queues = PrivateQueues(label: "NSPersistentStoreCoordinator")

  let queue = CoordinatorWork.queues.take()
  let lock = NSRecursiveLock()

  deinit { Self.queues.giveBack(queue) }

  var isCurrent: Bool { Self.queues.current == ObjectIdentifier(queue) }
}
