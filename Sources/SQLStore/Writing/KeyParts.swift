import StrataSQLText
import StrataSQLiteEngine

/// Splits ascending keys into parts for one statement each: a range where keys are dense, a list elsewhere. A range is
/// read straight through, whereas a list looks up each key.
struct KeyParts: Sequence, IteratorProtocol {
  struct Part {
    let keys: ArraySlice<Int64>
    let test: KeyPredicate

    /// Whether the statement selects exactly these keys.
    var isWhole: Bool { test != .range || keys.count == (keys.last ?? 0) - (keys.first ?? 0) + 1 }

    func bind(to statement: Statement) throws {
      if case .anyOf(let width) = test {
        try statement.bind(keys: keys, width: width)
      } else {
        statement.bind(keys[keys.startIndex], at: 1)
        if test == .range { statement.bind(keys[keys.endIndex - 1], at: 2) }
      }
    }
  }

  /// List sizes: few, so that few statements are prepared. Unused parameters stay NULL, which is never a key.
  private static let widths = [8, 64, 512]
  private static let minimumRangeKeys = 16

  private var rest: ArraySlice<Int64>

  init(_ keys: [Int64]) { rest = keys[...] }

  mutating func next() -> Part? {
    guard !rest.isEmpty else { return nil }
    let whole = Self.isDense(rest)
    let width = Self.widths.first { $0 >= rest.count } ?? Self.widths[Self.widths.count - 1]
    let keys = whole ? rest : rest.prefix(width)
    rest = rest.dropFirst(keys.count)
    if keys.count == 1 { return Part(keys: keys, test: .one) }
    return Part(keys: keys, test: whole || Self.isDense(keys) ? .range : .anyOf(width))
  }

  /// Dense means that at least every second key of a range is wanted.
  private static func isDense(_ keys: ArraySlice<Int64>) -> Bool {
    guard keys.count >= minimumRangeKeys else { return false }
    return keys[keys.endIndex - 1] - keys[keys.startIndex] < 2 * keys.count
  }
}
