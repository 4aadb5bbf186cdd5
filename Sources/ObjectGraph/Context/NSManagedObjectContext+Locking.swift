import Foundation

/// The locks from before contexts had queues. They exclude only other callers of these methods.
extension NSManagedObjectContext: NSLocking {
  /// Acquires the context's lock, which keeps out only callers of this method.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func lock() { executor.lock.lock() }

  /// Releases the context's lock.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func unlock() { executor.lock.unlock() }

  /// Acquires the context's lock if it is free.
  /// - Returns: whether the lock was acquired.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func tryLock() -> Bool { executor.lock.try() }
}
