/// The objects that relationships led to last, held for a while: who follows many relationships to few objects, tags for
/// one, does not make them and read their rows again each time. On Apple's systems autorelease pools have that effect.
struct RecentObjects {
  /// An object may hold a page of rows with others, so there are not many.
  private static let capacity = 256

  private var objects: [NSManagedObject] = []
  var sets = SharedSets()
  /// Where relationships are kept that are only read.
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
