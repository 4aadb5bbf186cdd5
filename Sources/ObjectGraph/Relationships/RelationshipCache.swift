import StrataRowStore

/// Objects that relationships led to, sets of them, members of relationships, and prefetched rows.
///
/// The lists of members here, and those that objects hold, carry the stamp of `RelationshipStamps` that makes them valid.
///
/// Releasing an object can run code of the program, in its `deinit`, which may use the cache. So functions here return what
/// they remove, and the caller releases it.
struct RelationshipCache {
  /// An object may retain a page with many rows, so the number is small.
  private static let capacity = 256

  /// The objects that relationships led to most recently, retained until the end of the block that runs on the context's
  /// queue: following many relationships to few objects, such as tags, does not create them and read their rows each time. On
  /// Apple's systems, autorelease pools have that effect.
  private var objects: [NSManagedObject] = []
  private var next = 0
  /// The objects whose insertion was merged in the block.
  private var merged: [NSManagedObject] = []
  /// The sets of members that were returned most recently.
  var sets = SharedSets()
  /// Stores relationships that are only read.
  var reads: RelationshipReads?
  /// The rows and members that fetches prefetched, and to which objects still refer.
  private var prefetchCaches: [WeakPrefetchCache] = []

  /// Retains an object until the end of the block, or until many others have been kept.
  /// - Returns: the object that it replaces.
  @discardableResult
  mutating func keep(_ object: NSManagedObject) -> NSManagedObject? {
    guard objects.count == Self.capacity else {
      objects.append(object)
      return nil
    }
    var replaced = object
    swap(&objects[next], &replaced)
    next = (next + 1) % Self.capacity
    return replaced
  }

  /// Retains objects until the end of the block.
  mutating func keep(merged new: [NSManagedObject]) { merged += new }

  /// The objects and sets that a block kept.
  struct Kept {
    var objects: [NSManagedObject]
    let merged: [NSManagedObject]
    let sets: SharedSets
    let reads: RelationshipReads?
  }

  /// Removes what a block kept, at its end. The caller gives the memory of the empty list of objects back (`reuse`).
  /// - Returns: nil if it kept nothing.
  mutating func takeKept() -> Kept? {
    guard !objects.isEmpty || !merged.isEmpty || !sets.isEmpty || reads != nil else { return nil }
    let kept = Kept(
      objects: objects.removeAndReturnAll(), merged: merged.removeAndReturnAll(), sets: sets, reads: reads)
    (sets, reads, next) = (SharedSets(), nil, 0)
    return kept
  }

  @discardableResult
  mutating func takeSets() -> SharedSets {
    defer { sets = SharedSets() }
    return sets
  }

  mutating func reuse(_ emptied: inout [NSManagedObject]) { objects.reuse(&emptied) }

  mutating func add(prefetchCache: PrefetchCache) {
    prefetchCaches.removeAll { $0.rows == nil }
    prefetchCaches.append(WeakPrefetchCache(rows: prefetchCache))
  }

  /// Returns what was prefetched and is still in use.
  mutating func livingPrefetchCaches() -> [PrefetchCache] {
    guard !prefetchCaches.isEmpty else { return [] }
    prefetchCaches.removeAll { $0.rows == nil }
    return prefetchCaches.compactMap(\.rows)
  }
}

extension NSManagedObjectContext {
  /// Releases what the relationship cache keeps until the end of a block.
  func releaseKept() {
    guard var kept = relationships.takeKept() else { return }
    kept.objects.removeAll(keepingCapacity: true)
    relationships.reuse(&kept.objects)
  }
}
