import Foundation

/// Locks of before contexts had queues. They keep out only who asks for them too.
extension NSManagedObjectContext: NSLocking {
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func lock() { locking.lock() }

  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func unlock() { locking.unlock() }

  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func tryLock() -> Bool { locking.try() }
}
