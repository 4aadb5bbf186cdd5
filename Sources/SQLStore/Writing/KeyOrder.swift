import StrataRowStore

extension [RowID] {
  /// The ids, of which each is there once, in the order of their keys.
  var inOrderOfKeys: [RowID] {
    guard let first, !isInOrderOfKeys else { return self }
    var (least, most) = (first.key, first.key)
    for id in self {
      least = Swift.min(least, id.key)
      most = Swift.max(most, id.key)
    }
    // The keys of a table mostly have few gaps: then each id goes to the place that its key has among all possible ones.
    let span = Int(most - least) + 1
    guard span / 4 <= count else { return sorted { $0.key < $1.key } }
    var places = [RowID](repeating: .none, count: span)
    for id in self { places[Int(id.key - least)] = id }
    return span == count ? places : places.filter { $0 != .none }
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
