import StrataRowStore

/// Objects that relationships led to, sets of them, members of relationships, and rows that fetches read ahead.
///
/// The lists of members here, and those that objects hold, carry the stamp of `RelationshipStamps` that makes them valid.
struct RelationshipCache {
  /// An object may retain a page with many rows, so the number is small.
  private static let capacity = 256

  /// The objects that relationships led to most recently, retained until the end of the block that runs on the context's
  /// queue: following many relationships to few objects, such as tags, does not create them and read their rows each time. On
  /// Apple's systems, autorelease pools have that effect.
  private var objects: [NSManagedObject] = []
  private var next = 0
  /// The sets of members that were returned most recently.
  var sets = SharedSets()
  /// Stores relationships that are only read.
  var reads: RelationshipReads?
  /// The rows and members that fetches read ahead, and to which objects still refer.
  private var readAheads: [WeakRowsReadAhead] = []

  mutating func keep(_ object: NSManagedObject) {
    if objects.count < Self.capacity {
      objects.append(object)
    } else {
      objects[next] = object
      next = (next + 1) % Self.capacity
    }
  }

  /// Releases what is kept until the end of a block.
  mutating func endBlock() {
    sets.removeAll()
    reads = nil
    guard !objects.isEmpty else { return }
    objects.removeAll(keepingCapacity: true)
    next = 0
  }

  mutating func add(readAhead: PrefetchCache) {
    readAheads.removeAll { $0.rows == nil }
    readAheads.append(WeakRowsReadAhead(rows: readAhead))
  }

  /// Returns what was read ahead and is still in use.
  mutating func livingReadAheads() -> [PrefetchCache] {
    guard !readAheads.isEmpty else { return [] }
    readAheads.removeAll { $0.rows == nil }
    return readAheads.compactMap(\.rows)
  }
}
