import Glibc

/// Questions that one thread asks shortly after each other, as in a block on a context's queue: a store may keep open for
/// the next what it opened for the last.
///
/// Nobody notices but by the clock: a store that keeps a moment of its file for the next question makes sure first that
/// nothing was committed since.
package final class ReadBurst {
  // A burst is one thread's.
  @exclusivity(unchecked) private var held: [(owner: ObjectIdentifier, lease: AnyObject)] = []
  @exclusivity(unchecked) private var hasAsked: Set<ObjectIdentifier> = []

  private init() {}

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    // It fails only where a thousand keys were made before; then no burst is found and every question stands alone.
    pthread_key_create(&key, nil)
    return key
  }()

  /// The burst that the calling thread is in.
  package static var current: ReadBurst? {
    pthread_getspecific(key).map { Unmanaged<ReadBurst>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` as a burst, or as part of the one that the thread is in. What is held is released at the end.
  @inline(__always)
  package static func run<T>(_ body: () throws -> T) rethrows -> T {
    guard pthread_getspecific(key) == nil else { return try body() }
    let burst = ReadBurst()
    pthread_setspecific(key, Unmanaged.passUnretained(burst).toOpaque())
    defer { pthread_setspecific(key, nil) }
    // The thread remembers the burst without holding it.
    return try withExtendedLifetime(burst) { try body() }
  }

  /// Whether an owner was asked before in this burst. Who is asked once has nothing to keep open.
  package func isAnother(questionTo owner: AnyObject) -> Bool { !hasAsked.insert(ObjectIdentifier(owner)).inserted }

  /// What an owner keeps open.
  package func lease(of owner: AnyObject) -> AnyObject? {
    let owner = ObjectIdentifier(owner)
    return held.first { $0.owner == owner }?.lease
  }

  /// Keeps something open in the place of what the owner kept; nil ends that.
  package func hold(_ lease: AnyObject?, of owner: AnyObject) {
    let owner = ObjectIdentifier(owner)
    held.removeAll { $0.owner == owner }
    if let lease { held.append((owner, lease)) }
  }
}
