import StrataRowStore

/// The sets of members that relationships answered last, by their members: where many objects lead to the same few, as
/// to tags, one set serves them all, which costs a tenth of making one for each. They end with the block on the queue.
struct SharedSets {
  /// Longer lists are hardly ever the same for two owners.
  static let longestList = 8
  private static let capacity = 4_096

  private var sets: [_SharedSet?] = []

  subscript(ids: ArraySlice<RowID>) -> _SharedSet? {
    guard !sets.isEmpty else { return nil }
    let place = Self.place(of: ids)
    if let known = sets[place], known.holds(ids) { return known }
    if let known = sets[place ^ 1], known.holds(ids) { return known }
    return nil
  }

  mutating func keep(_ set: _SharedSet, of ids: ArraySlice<RowID>) {
    if sets.isEmpty { sets = Array(repeating: nil, count: Self.capacity) }
    // Not a part of many lists, which are added to.
    set.ids = Array(ids)[...]
    // Two that belong to one place stay side by side.
    let place = Self.place(of: ids)
    sets[place ^ 1] = sets[place] ?? sets[place ^ 1]
    sets[place] = set
  }

  mutating func removeAll() { sets = [] }

  private static func place(of ids: ArraySlice<RowID>) -> Int {
    var mixed: UInt64 = 0
    ids.withUnsafeBufferPointer { for id in $0 { mixed = (mixed ^ id.bits) &* 0x9E37_79B9_7F4A_7C15 } }
    return Int(truncatingIfNeeded: mixed >> 40) % capacity
  }
}

/// A set of objects that a typed accessor returned. Only for the accessors behind `@NSManaged` declarations.
public class _SharedSet {
  @exclusivity(unchecked) final var ids: ArraySlice<RowID> = []
  @usableFromInline init() {}

  /// Whether the set is of these members.
  final func holds(_ other: ArraySlice<RowID>) -> Bool {
    // In memory: a slice checks and counts at each step.
    ids.withUnsafeBufferPointer { mine in other.withUnsafeBufferPointer { mine.elementsEqual($0) } }
  }
}

/// See `_SharedSet`.
public final class _SharedSetOf<Member: NSManagedObject>: _SharedSet {
  @usableFromInline let members: Set<Member>
  @usableFromInline init(_ members: Set<Member>) { self.members = members }
}

extension NSManagedObjectContext {
  /// Whether what is held for a while is released for certain: all use of a private queue is in blocks, which end.
  var sharesSets: Bool { concurrencyType == .privateQueueConcurrencyType }
}
