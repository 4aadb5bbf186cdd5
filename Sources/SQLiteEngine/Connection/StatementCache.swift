/// An LRU cache of prepared statements, by their SQL. Preparing costs 3 to 50 µs.
struct StatementCache {
  /// The two words of a String: the address of its bytes, or a short string's bytes themselves.
  private typealias Place = (UInt64, UInt64)

  private var entries: [String: Statement] = [:]
  /// The most recent hits, by the words of the SQL string that was asked for. The statement retains that string, so its
  /// address cannot be reused: equal words mean equal text, without hashing.
  private var recent: [(place: Place, statement: Statement)] = []
  private var nextRecent = 0
  private var clock = 0
  let capacity = 120

  private static let mostRecent = 16

  mutating func statement(_ text: String) -> Statement? {
    clock += 1
    let place = Self.place(of: text)
    for known in recent where known.place == place {
      known.statement.lastUse = clock
      return known.statement
    }
    guard let statement = entries[text] else { return nil }
    statement.lastUse = clock
    if Self.place(of: statement.text) == place { remember(statement, at: place) }
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

  private mutating func remember(_ statement: Statement, at place: Place) {
    if recent.count < Self.mostRecent {
      recent.append((place, statement))
    } else {
      recent[nextRecent] = (place, statement)
      nextRecent = (nextRecent + 1) % Self.mostRecent
    }
  }

  // A String is two words: https://github.com/swiftlang/swift/blob/main/stdlib/public/core/StringObject.swift
  private static func place(of text: String) -> Place { unsafeBitCast(text, to: Place.self) }
}
