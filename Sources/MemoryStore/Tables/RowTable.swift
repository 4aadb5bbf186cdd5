import StrataManagedModel
import StrataRowStore

/// The rows of one entity hierarchy, sorted by key. A row is never changed in place, only replaced.
struct RowTable {
  /// Ascending, parallel to `rows`.
  private(set) var keys: [Int64] = []
  private(set) var rows: [Row] = []
  /// The largest key ever assigned.
  var lastKey: Int64 = 0

  func row(_ key: Int64) -> Row? { index(of: key).map { rows[$0] } }

  mutating func insert(_ row: Row) {
    let index = keys.last.map { $0 < row.id.key } ?? true ? keys.count : firstIndex(notBelow: row.id.key)
    keys.insert(row.id.key, at: index)
    rows.insert(row, at: index)
    lastKey = max(lastKey, row.id.key)
  }

  mutating func replace(_ row: Row) {
    guard let index = index(of: row.id.key) else { return }
    rows[index] = row
  }

  mutating func remove(_ gone: Set<Int64>) {
    keys.removeAll { gone.contains($0) }
    rows.removeAll { gone.contains($0.id.key) }
  }

  /// Keys are assigned in sequence, so without deletions a row's index is its key's distance from the first key.
  private func index(of key: Int64) -> Int? {
    guard let first = keys.first, key >= first else { return nil }
    let guess = Int(key - first)
    if guess < keys.count, keys[guess] == key { return guess }
    let index = firstIndex(notBelow: key)
    return index < keys.count && keys[index] == key ? index : nil
  }

  private func firstIndex(notBelow key: Int64) -> Int {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
