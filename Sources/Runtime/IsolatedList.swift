/// Calling a function of the main actor from any thread.
///
/// Generated code names key paths and classes. If the program's classes belong to the main actor, Swift allows that only
/// there, although creating a key path reads none of the actor's state. A function that is isolated to a global actor, and
/// neither throws nor suspends, has the representation of one that is not: the actor is part of its type alone.
package enum IsolatedList {
  /// Returns the same function without its isolation.
  package static func unisolated<Element>(
    _ list: @escaping @MainActor @Sendable () -> [Element]
  ) -> @Sendable () -> [Element] {
    unsafeBitCast(list, to: (@Sendable () -> [Element]).self)
  }

  /// Returns the same function without its isolation.
  package static func unisolated<Made>(_ make: @escaping @MainActor () -> Made) -> () -> Made {
    unsafeBitCast(make, to: (() -> Made).self)
  }
}
