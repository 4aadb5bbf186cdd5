import RowStore

/// The permanent ids of a batch's new rows by their temporary ones: open addressing in two flat arrays. It is made when
/// the first reference to a temporary id is met; a batch without such costs nothing.
struct TemporaryIDs {
  private var keys: [UInt64]
  private var values: [UInt64]
  private let mask: Int

  /// - Parameter permanent: for each row its permanent id.
  init(of rows: [Row], permanent: [RowID]) {
    var capacity = 16
    while capacity < rows.count * 2 { capacity *= 2 }
    mask = capacity - 1
    keys = [UInt64](repeating: 0, count: capacity)
    values = keys
    for (row, id) in zip(rows, permanent) {
      let temporary = row.id
      guard temporary != id else { continue }
      var place = Self.place(temporary, mask)
      while keys[place] != 0 { place = (place + 1) & mask }
      keys[place] = temporary.bits
      values[place] = id.bits
    }
  }

  subscript(temporary: RowID) -> RowID? {
    var place = Self.place(temporary, mask)
    while keys[place] != 0 {
      if keys[place] == temporary.bits { return RowID(bits: values[place]) }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Temporary keys are counted down one by one, so their low bits alone spread them perfectly.
  private static func place(_ id: RowID, _ mask: Int) -> Int { Int(truncatingIfNeeded: id.key) & mask }
}
