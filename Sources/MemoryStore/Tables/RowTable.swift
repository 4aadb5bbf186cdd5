import StrataManagedModel
import StrataRowStore

/// The rows of one hierarchy by key. A row in it is never changed, only replaced.
struct RowTable {
  /// Ascending; `rows` goes along with it.
  private(set) var keys: [Int64] = []
  private(set) var rows: [Row] = []
  /// The largest key that was ever given.
  var lastKey: Int64 = 0

  func row(_ key: Int64) -> Row? { index(of: key).map { rows[$0] } }

  mutating func insert(_ row: Row) {
    let place = keys.last.map { $0 < row.id.key } ?? true ? keys.count : firstIndex(notBelow: row.id.key)
    keys.insert(row.id.key, at: place)
    rows.insert(row, at: place)
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

  /// Keys count up, so without deletions a row lies at its key's distance from the first.
  private func index(of key: Int64) -> Int? {
    guard let first = keys.first, key >= first else { return nil }
    let guess = Int(key - first)
    if guess < keys.count, keys[guess] == key { return guess }
    let place = firstIndex(notBelow: key)
    return place < keys.count && keys[place] == key ? place : nil
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
