/// Prepared statements by text; the one that was not used for longest goes first. Preparing costs 3 to 50 µs.
struct StatementCache {
  private var entries: [String: (statement: Statement, used: Int)] = [:]
  private var clock = 0
  let capacity = 120

  mutating func statement(_ text: String) -> Statement? {
    guard let place = entries.index(forKey: text) else { return nil }
    clock += 1
    entries.values[place].used = clock
    return entries.values[place].statement
  }

  mutating func insert(_ statement: Statement) {
    if entries.count >= capacity, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
      entries[oldest.key] = nil
    }
    clock += 1
    entries[statement.text] = (statement, clock)
  }

  mutating func removeAll() { entries = [:] }
}
