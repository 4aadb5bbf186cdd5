import StrataRuntime

/// An LRU cache of prepared statements, by their SQL. Preparing costs 3 to 50 µs.
struct StatementCache {
  private var entries: [String: Statement] = [:]
  /// The most recent hits, by the words of the SQL string that was asked for. The statement retains that string, so its
  /// address cannot be reused: equal words mean equal text, without hashing.
  private var recent: [(key: StringWords, statement: Statement)] = []
  private var nextRecent = 0
  private var clock = 0
  let capacity = 120

  private static let maximumRecent = 16

  mutating func statement(_ text: String) -> Statement? {
    clock += 1
    let key = StringWords(text)
    for known in recent where known.key == key {
      known.statement.lastUse = clock
      return known.statement
    }
    guard let statement = entries[text] else { return nil }
    statement.lastUse = clock
    if StringWords(statement.text) == key { remember(statement, at: key) }
    return statement
  }

  mutating func insert(_ statement: Statement) {
    if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
      recent.removeAll { $0.statement === oldest.value }
      nextRecent = 0
    }
    clock += 1
    statement.lastUse = clock
    entries[statement.text] = statement
  }

  mutating func removeAll() {
    entries = [:]
    recent = []
    nextRecent = 0
  }

  private mutating func remember(_ statement: Statement, at key: StringWords) {
    if recent.count < Self.maximumRecent {
      recent.append((key, statement))
    } else {
      recent[nextRecent] = (key, statement)
      nextRecent = (nextRecent + 1) % Self.maximumRecent
    }
  }
}
