import Foundation

/// Compares words that may be misspelled.
enum Spelling {
  /// The words of a text without differences of case and accents.
  static func words(_ text: String) -> [String] {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// The number of characters to insert, remove, replace, or swap with the next: Damerau (1964).
  static func distance(_ first: [Character], _ second: [Character]) -> Int {
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var (former, last, row) = ([Int](), [Int](), Array(0...second.count))
    for i in first.indices {
      (former, last, row) = (last, row, [i + 1])
      for j in second.indices {
        let isEqual = first[i] == second[j]
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (isEqual ? 0 : 1))
        if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] { cost = min(cost, former[j - 1] + 1) }
        row.append(cost)
      }
    }
    return row[second.count]
  }
}
