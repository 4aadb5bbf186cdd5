import StrataCSwiftRuntime
import Synchronization

/// Leads to an object without keeping it alive. A weak reference would do, but whatever has one pays for it with every
/// retain and release: four times as much.
///
/// The object holds it, begins it when it is made and ends it in its `deinit`.
package final class LivingReference<Object: AnyObject>: @unchecked Sendable {
  // Sendable: the address is used under the lock alone.

  private let lock = Mutex(())
  @exclusivity(unchecked) private var held: Unmanaged<Object>?

  package init() {}

  package func begin(_ object: Object) { lock.withLock { _ in held = .passUnretained(object) } }

  package func end() { lock.withLock { _ in held = nil } }

  /// The object, as long as its deinitialisation has not begun.
  package var object: Object? {
    lock.withLock { _ in
      // Not touched before it is retained, and not freed before `end()` has had the lock.
      guard let held, strata_try_retain(held.toOpaque()) != nil else { return nil }
      return held.takeRetainedValue()
    }
  }
}
