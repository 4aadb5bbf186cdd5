import StrataRuntime
import Synchronization

/// A reference that does not keep its object alive. A weak reference would make every retain and release of the object
/// four times as expensive.
///
/// The object owns it, sets it in its initializer and ends it in its `deinit`.
package final class LivingReference<Object: AnyObject>: @unchecked Sendable {
  // Sendable: the address is used only under the lock.

  private let lock = Mutex(())
  @exclusivity(unchecked) private var held: Unmanaged<Object>?

  package init() {}

  package func begin(_ object: Object) { lock.withLock { _ in held = .passUnretained(object) } }

  package func end() { lock.withLock { _ in held = nil } }

  /// The object, unless its deinitialization has begun.
  package var object: Object? {
    lock.withLock { _ in
      // Touched only after it is retained, and not freed before `end()` has held the lock.
      guard let held, strata_try_retain(held.toOpaque()) != nil else { return nil }
      return held.takeRetainedValue()
    }
  }
}
