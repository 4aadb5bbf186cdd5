import StrataRowStore

/// The member sets that relationships returned most recently, by their members: if many objects lead to the same few,
/// such as tags, they share one set, which costs a tenth of creating one each. Emptied at the end of the block on the
/// queue.
struct SharedSets {
  /// Longer lists are rarely the same for two owners.
  static let maximumMembers = 8
  private static let capacity = 4_096

  private var sets: [_SharedSet?] = []

  subscript(ids: ArraySlice<RowID>) -> _SharedSet? {
    guard !sets.isEmpty else { return nil }
    let bucket = Self.bucket(of: ids)
    if let known = sets[bucket], known.holds(ids) { return known }
    if let known = sets[bucket ^ 1], known.holds(ids) { return known }
    return nil
  }

  var isEmpty: Bool { sets.isEmpty }

  /// - Returns: the set that it replaces.
  @discardableResult
  mutating func keep(_ set: _SharedSet, of ids: ArraySlice<RowID>) -> _SharedSet? {
    if sets.isEmpty { sets = Array(repeating: nil, count: Self.capacity) }
    // Copied, because the slice belongs to a shared array that grows.
    set.ids = Array(ids)[...]
    // Two sets in one bucket are kept side by side.
    let bucket = Self.bucket(of: ids)
    let replaced = sets[bucket ^ 1]
    if let first = sets[bucket] { sets[bucket ^ 1] = first }
    sets[bucket] = set
    return replaced
  }

  private static func bucket(of ids: ArraySlice<RowID>) -> Int {
    var mixed: UInt64 = 0
    ids.withUnsafeBufferPointer { for id in $0 { mixed = (mixed ^ id.bits) &* 0x9E37_79B9_7F4A_7C15 } }
    return Int(truncatingIfNeeded: mixed >> 40) % capacity
  }
}

/// A set of objects that a typed accessor returned. Only for the accessors behind `@NSManaged` declarations.
public class _SharedSet {
  @exclusivity(unchecked) final var ids: ArraySlice<RowID> = []
  @usableFromInline init() {}

  /// Whether the set has these members.
  final func holds(_ other: ArraySlice<RowID>) -> Bool {
    // Compared as buffers: a slice checks bounds and counts references at each step.
    ids.withUnsafeBufferPointer { mine in other.withUnsafeBufferPointer { mine.elementsEqual($0) } }
  }
}

/// See `_SharedSet`.
public final class _SharedSetOf<Member: NSManagedObject>: _SharedSet {
  @usableFromInline let members: Set<Member>
  @usableFromInline init(_ members: Set<Member>) { self.members = members }
}

extension NSManagedObjectContext {
  /// Whether retained sets are certain to be released: a private queue is only used in blocks, which end.
  var sharesSets: Bool { concurrencyType == .privateQueueConcurrencyType }
}
