import RowStore

extension [RowID] {
  /// The ids, of which each is there once, in the order of their keys.
  var inOrderOfKeys: [RowID] {
    guard let first else { return self }
    var (least, most, isSorted, last) = (first.key, first.key, true, first.key)
    for id in self {
      let key = id.key
      if key < last { isSorted = false }
      least = Swift.min(least, key)
      most = Swift.max(most, key)
      last = key
    }
    if isSorted { return self }
    // The keys of a table mostly have few gaps: then each id goes to the place that its key has among all possible ones.
    let span = Int(most - least) + 1
    guard span / 4 <= count else { return sorted { $0.key < $1.key } }
    var places = [RowID](repeating: .none, count: span)
    for id in self { places[Int(id.key - least)] = id }
    return span == count ? places : places.filter { $0 != .none }
  }
}
