/// A map from old to new IDs, mostly temporary to permanent: open addressing in two flat arrays, because a Dictionary's
/// look-ups cost 50 times as much. A single change, as when saving one object, needs no arrays.
package struct IDChanges: Sendable {
  private var single: (old: UInt64, new: UInt64) = (0, 0)
  /// 0 marks a free entry: no row has that ID.
  private var keys: [UInt64] = []
  private var values: [UInt64] = []
  package private(set) var count = 0

  /// - Parameter capacity: the expected number of changes.
  package init(capacity: Int = 0) {
    if capacity > 1 { resize(for: capacity) }
  }

  package var isEmpty: Bool { count == 0 }

  package mutating func set(_ old: RowID, to new: RowID) {
    if keys.isEmpty {
      if count == 0 || single.old == old.bits {
        (single, count) = ((old.bits, new.bits), 1)
        return
      }
      resize(for: 2)
    }
    if (count + 1) * 2 > keys.count { resize(for: count + 1) }
    let bucket = bucket(of: old.bits)
    if keys[bucket] == 0 { count += 1 }
    keys[bucket] = old.bits
    values[bucket] = new.bits
  }

  /// The new ID; nil if it did not change.
  package subscript(old: RowID) -> RowID? {
    guard count > 0 else { return nil }
    if keys.isEmpty { return old.bits == single.old ? RowID(bits: single.new) : nil }
    let bucket = bucket(of: old.bits)
    return keys[bucket] == 0 ? nil : RowID(bits: values[bucket])
  }

  /// Stops the program where a change is not found again, or not counted: for tests.
  package func checkInvariants() {
    precondition(
      keys.count == values.count && keys.count & (keys.count - 1) == 0, "The table's size is not a power of two.")
    precondition(keys.isEmpty ? count <= 1 : count * 2 <= keys.count, "The table is too full: a search may not end.")
    var seen = 0
    forEach { old, new in
      precondition(self[old] == new, "The new ID \(new) of \(old) is not found.")
      seen += 1
    }
    precondition(seen == count, "The table has \(seen) changes, but its count is \(count).")
  }

  /// The changes, in no order.
  package func forEach(_ body: (RowID, RowID) -> Void) {
    if keys.isEmpty, count > 0 { body(RowID(bits: single.old), RowID(bits: single.new)) }
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

  private mutating func resize(for count: Int) {
    var size = 16
    while size < count * 2 { size *= 2 }
    let old = (keys, values)
    keys = [UInt64](repeating: 0, count: size)
    values = keys
    for (index, key) in old.0.enumerated() where key != 0 {
      let bucket = bucket(of: key)
      keys[bucket] = key
      values[bucket] = old.1[index]
    }
    guard old.0.isEmpty, self.count > 0 else { return }
    let bucket = bucket(of: single.old)
    (keys[bucket], values[bucket]) = (single.old, single.new)
  }
}
