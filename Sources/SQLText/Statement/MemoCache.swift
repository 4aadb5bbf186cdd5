import Synchronization

/// Values that are made once for each key. Never emptied: a writer's texts follow from the model alone, so they are
/// few.
package final class MemoCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let known = Mutex<[Key: Value]>([:])

  package init() {}

  package func value(_ key: Key, make: () throws -> Value) rethrows -> Value {
    if let known = known.withLock({ $0[key] }) { return known }
    let made = try make()
    known.withLock { $0[key] = made }
    return made
  }
}
