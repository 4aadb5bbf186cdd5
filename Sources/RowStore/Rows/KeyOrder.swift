// SQLStore sorts keys and rows here, because it is compiled without specialized generic code.

extension [RowID] {
  /// The keys, in the order of the IDs.
  package var keys: [Int64] { map(\.key) }

  /// The IDs in key order. Each must occur once.
  package var inOrderOfKeys: [RowID] {
    guard let first, !isInOrderOfKeys else { return self }
    var (least, most) = (first.key, first.key)
    for id in self {
      least = Swift.min(least, id.key)
      most = Swift.max(most, id.key)
    }
    // Keys of a table usually have few gaps: then each ID goes straight to the position of its key.
    let span = Int(most - least) + 1
    guard span / 4 <= count else { return sorted { $0.key < $1.key } }
    var positions = [RowID](repeating: .none, count: span)
    for id in self { positions[Int(id.key - least)] = id }
    return span == count ? positions : positions.filter { $0 != .none }
  }

  private var isInOrderOfKeys: Bool {
    withUnsafeBufferPointer { ids in
      var last = Int64.min
      for id in ids {
        if id.key < last { return false }
        last = id.key
      }
      return true
    }
  }
}

extension [Int64] {
  /// The keys in ascending order, without duplicates.
  package func ascendingKeys() -> [Int64] {
    if zip(self, dropFirst()).allSatisfy({ $0 < $1 }) { return self }
    var keys = self
    keys.sort()
    var last: Int64?
    keys.removeAll { key in
      defer { last = key }
      return key == last
    }
    return keys
  }
}
