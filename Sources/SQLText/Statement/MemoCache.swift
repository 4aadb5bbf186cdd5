import Synchronization

/// What is made once for each key, by whoever asks first. A writer's texts are few: they follow from the model alone.
final class MemoCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let known = Mutex<[Key: Value]>([:])

  func value(_ key: Key, _ make: () throws -> Value) rethrows -> Value {
    if let known = known.withLock({ $0[key] }) { return known }
    let made = try make()
    known.withLock { $0[key] = made }
    return made
  }
}
