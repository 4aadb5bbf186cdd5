/// Suggestions for mistyped names.
enum Suggestion {
  private static let maximumNames = 2

  /// ` did you mean list?`, with the blank; empty if no name is like the word.
  static func text(for word: String, among names: [String]) -> String {
    let close = names.filter { $0.hasPrefix(word) || $0.difference(from: word).count <= 2 }
    return word.isEmpty || close.isEmpty ? "" : " did you mean \(close.prefix(maximumNames).joined(separator: " or "))?"
  }
}
