import Glibc

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

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    // Fails only if a thousand keys exist already; then there is no burst and each query stands alone.
    pthread_key_create(&key, nil)
    return key
  }()

  /// The calling thread's burst.
  package static var current: ReadBurst? {
    pthread_getspecific(key).map { Unmanaged<ReadBurst>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` as a burst, or as part of the thread's current one. What is held is released at the end.
  @inline(__always)
  package static func run<T>(_ body: () throws -> T) rethrows -> T {
    guard pthread_getspecific(key) == nil else { return try body() }
    let burst = ReadBurst()
    pthread_setspecific(key, Unmanaged.passUnretained(burst).toOpaque())
    defer { pthread_setspecific(key, nil) }
    // The thread's pointer is not a strong reference.
    return try withExtendedLifetime(burst) { try body() }
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
