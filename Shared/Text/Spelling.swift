import Foundation

/// Compares words that may be misspelled.
enum Spelling {
  /// The words of a text without differences of case and accents.
  static func words(_ text: String) -> [String] {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// How many letters must be put in, left out or replaced: Levenshtein (1965).
  static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var corner = row[0]
      row[0] = index + 1
      for column in second.indices {
        let replaced = corner + (letter == second[column] ? 0 : 1)
        corner = row[column + 1]
        row[column + 1] = min(replaced, corner + 1, row[column] + 1)
      }
    }
    return row[second.count]
  }
}
