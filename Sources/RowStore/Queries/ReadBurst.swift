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

  private init() {}

  // Thread-local, as a context's running block is. It cannot be passed on explicitly: between the block that a program runs
  // on a context and the store that is queried in it lie the program's own code, accessors without parameters, and
  // Foundation. A task-local value would propagate to tasks that outlive the block.

  /// The calling thread's burst.
  package static var current: ReadBurst? {
    strata_read_burst().map { Unmanaged<ReadBurst>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` as a burst, or as part of the thread's current one. What is held is released at the end.
  package static func run<T>(_ body: () throws -> T) rethrows -> T {
    if strata_read_burst() != nil { return try body() }
    let burst = ReadBurst()
    strata_set_read_burst(Unmanaged.passUnretained(burst).toOpaque())
    defer { strata_set_read_burst(nil) }
    // The thread's pointer is not a strong reference.
    return try withExtendedLifetime(burst) { try body() }
  }

  /// Whether this is not the owner's first query in the burst; a single query has nothing to keep open.
  package func isAnother(questionTo owner: AnyObject) -> Bool { !hasAsked.insert(ObjectIdentifier(owner)).inserted }

  /// The lease of an owner.
  package func lease(of owner: AnyObject) -> AnyObject? {
    let owner = ObjectIdentifier(owner)
    return held.first { $0.owner == owner }?.lease
  }

  /// Releases what is held for all owners, before the thread may wait for others.
  package func release() { held = [] }

  /// Keeps something open for an owner, replacing what it kept before; nil releases it.
  package func hold(_ lease: AnyObject?, of owner: AnyObject) {
    let owner = ObjectIdentifier(owner)
    held.removeAll { $0.owner == owner }
    if let lease { held.append((owner, lease)) }
  }
}
