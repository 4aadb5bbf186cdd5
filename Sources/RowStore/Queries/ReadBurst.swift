import StrataRuntime

/// A burst of queries by one thread, as in a block on a context's queue, during which a store may keep resources open
/// between queries.
///
/// Not observable except in time: a store that keeps a snapshot for the next query first makes sure that nothing was
/// committed since.
package final class ReadBurst {
  // A burst belongs to one thread.
  @exclusivity(unchecked) private var held: [(owner: ObjectIdentifier, lease: AnyObject)] = []
  @exclusivity(unchecked) private var hasAsked: Set<ObjectIdentifier> = []

  /// For the layer above: the innermost context block that the thread is in. Held by the caller that set it.
  @exclusivity(unchecked) package var block: Unmanaged<AnyObject>?

  private init() {}

  // The only thread-local state. It cannot be passed on explicitly: between the block that a program runs on a context and
  // the store that is queried in it lie the program's own code, accessors without parameters, and Foundation. A task-local
  // value would propagate to tasks that outlive the block.

  /// The calling thread's burst.
  package static var current: ReadBurst? {
    strata_thread_scope().map { Unmanaged<ReadBurst>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` as a burst, or as part of the thread's current one. What is held is released at the end.
  package static func run<T>(_ body: () throws -> T) rethrows -> T { try run { _ in try body() } }

  /// Runs `body` with the burst that it is part of.
  @inline(__always)
  package static func run<T>(_ body: (ReadBurst) throws -> T) rethrows -> T {
    if let current { return try body(current) }
    let burst = ReadBurst()
    strata_set_thread_scope(Unmanaged.passUnretained(burst).toOpaque())
    defer { strata_set_thread_scope(nil) }
    // The thread's pointer is not a strong reference.
    return try withExtendedLifetime(burst) { try body(burst) }
  }

  /// Whether this is not the owner's first query in the burst; a single query has nothing to keep open.
  package func isAnother(questionTo owner: AnyObject) -> Bool { !hasAsked.insert(ObjectIdentifier(owner)).inserted }

  /// What an owner keeps open.
  package func lease(of owner: AnyObject) -> AnyObject? {
    let owner = ObjectIdentifier(owner)
    return held.first { $0.owner == owner }?.lease
  }

  /// Keeps something open for an owner, replacing what it kept before; nil releases it.
  package func hold(_ lease: AnyObject?, of owner: AnyObject) {
    let owner = ObjectIdentifier(owner)
    held.removeAll { $0.owner == owner }
    if let lease { held.append((owner, lease)) }
  }
}
