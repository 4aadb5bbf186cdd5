/// A map from old to new IDs, mostly temporary to permanent.
///
/// A save of one object, or of objects of one entity in the order in which they were created, replaces consecutive IDs. Such
/// changes are a range, and need no memory of their own. All others are a table with open addressing in two flat arrays,
/// because a Dictionary's look-ups cost 50 times as much.
package struct IDChanges: Sendable {
  /// The first change, if the changes are a range: of the next ones, each old ID is the one before minus 1, as temporary IDs are
  /// given out, and each new ID the one before plus 1.
  private var first: (old: UInt64, new: UInt64) = (0, 0)
  /// 0 marks a free entry: no row has that ID.
  private var keys: [UInt64] = []
  private var values: [UInt64] = []
  package private(set) var count = 0
  /// The number of changes that a table begins with room for.
  private let capacity: Int

  /// - Parameter capacity: the expected number of changes.
  package init(capacity: Int = 0) { self.capacity = capacity }

  package var isEmpty: Bool { count == 0 }

  package mutating func set(_ old: RowID, to new: RowID) {
    if keys.isEmpty {
      if count == 0 { first = (old.bits, new.bits) }
      let index = first.old &- old.bits
      if index <= count, new.bits == first.new &+ index {
        count = max(count, Int(index) + 1)
        return
      }
      resize(for: max(capacity, count + 1))
    }
    if (count + 1) * 2 > keys.count { resize(for: count + 1) }
    put(old.bits, new.bits)
  }

  /// The new ID; nil if it did not change.
  package subscript(old: RowID) -> RowID? {
    if keys.isEmpty {
      let index = first.old &- old.bits
      return index < count ? RowID(bits: first.new &+ index) : nil
    }
    let bucket = bucket(of: old.bits)
    return keys[bucket] == 0 ? nil : RowID(bits: values[bucket])
  }

  /// Stops the program where a change is not found again, or not counted: for tests.
  package func checkInvariants() {
    precondition(
      keys.count == values.count && keys.count & (keys.count - 1) == 0, "The table's size is not a power of two.")
    precondition(keys.isEmpty || count * 2 <= keys.count, "The table is too full: a search may not end.")
    var seen = 0
    forEach { old, new in
      precondition(self[old] == new, "The new ID \(new) of \(old) is not found.")
      seen += 1
    }
    precondition(seen == count, "The table has \(seen) changes, but its count is \(count).")
  }

  /// The changes, in no order.
  package func forEach(_ body: (RowID, RowID) -> Void) {
    if keys.isEmpty {
      for index in 0..<UInt64(count) { body(RowID(bits: first.old &- index), RowID(bits: first.new &+ index)) }
    }
    for (bucket, key) in keys.enumerated() where key != 0 { body(RowID(bits: key), RowID(bits: values[bucket])) }
  }

  /// The index of an ID, or of the free entry that ends the search. Temporary keys are consecutive, so their low bits
  /// alone distribute them perfectly.
  @inline(__always)
  private func bucket(of bits: UInt64) -> Int {
    let mask = keys.count - 1
    var bucket = Int(truncatingIfNeeded: bits) & mask
    while keys[bucket] != bits && keys[bucket] != 0 { bucket = (bucket + 1) & mask }
    return bucket
  }

  /// Adds a change that the table has room for.
  private mutating func put(_ old: UInt64, _ new: UInt64) {
    let bucket = bucket(of: old)
    if keys[bucket] == 0 { count += 1 }
    (keys[bucket], values[bucket]) = (old, new)
  }

  /// Moves all changes to a new table.
  private mutating func resize(for expected: Int) {
    var size = 16
    while size < expected * 2 { size *= 2 }
    let before = self
    keys = [UInt64](repeating: 0, count: size)
    (values, count) = (keys, 0)
    before.forEach { put($0.bits, $1.bits) }
  }
}
