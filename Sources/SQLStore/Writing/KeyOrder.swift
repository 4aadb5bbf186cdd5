import StrataRowStore

extension [RowID] {
  /// The ids in key order. Each must occur once.
  var inOrderOfKeys: [RowID] {
    guard let first, !isInOrderOfKeys else { return self }
    var (least, most) = (first.key, first.key)
    for id in self {
      least = Swift.min(least, id.key)
      most = Swift.max(most, id.key)
    }
    // Keys of a table usually have few gaps: then each id goes straight to the position of its key.
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
