import Foundation

/// Lets a negative number be the value of an option, as in `--limit -1`, so that the error is about the value.
///
/// The parser takes such a word for an option.
public enum NegativeValues {
  /// - Parameter arguments: without the program's name.
  /// - Returns: the same with negative numbers attached to their options, as in `--limit=-1`.
  public static func attached(_ arguments: [String]) -> [String] {
    // The rest is for another program, or has no options.
    let end = arguments.firstIndex { $0 == "--" || $0 == "--exec" } ?? arguments.endIndex
    var words: [String] = []
    for (index, word) in arguments.enumerated() {
      if index < end, isNegativeNumber(word), let option = words.last, option.hasPrefix("--"), !option.contains("=") {
        words[words.count - 1] = "\(option)=\(word)"
      } else {
        words.append(word)
      }
    }
    return words
  }

  /// `-1`, `-0.5` or `-24h`, but not a position such as `-20,-70`.
  private static func isNegativeNumber(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let digit = word.dropFirst().first, digit.isASCII, digit.isNumber else { return false }
    return word.dropFirst().allSatisfy { $0.isASCII && ($0.isNumber || $0.isLetter || $0 == ".") }
  }
}
