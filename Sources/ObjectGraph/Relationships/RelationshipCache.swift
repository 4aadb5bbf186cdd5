/// Retains the objects that relationships led to most recently, so that following many relationships to few objects,
/// such as tags, does not create them and read their rows each time. On Apple's systems, autorelease pools have that
/// effect.
struct RecentObjects {
  /// An object may retain a page with many rows, so the number is small.
  private static let capacity = 256

  private var objects: [NSManagedObject] = []
  var sets = SharedSets()
  /// Stores relationships that are only read.
  var links: RelationshipReads?
  private var next = 0

  mutating func keep(_ object: NSManagedObject) {
    if objects.count < Self.capacity {
      objects.append(object)
    } else {
      objects[next] = object
      next = (next + 1) % Self.capacity
    }
  }

  mutating func removeAll() {
    sets.removeAll()
    links = nil
    guard !objects.isEmpty else { return }
    objects.removeAll(keepingCapacity: true)
    next = 0
  }
}
