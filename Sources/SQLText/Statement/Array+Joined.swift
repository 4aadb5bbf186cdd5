extension [String] {
  /// What the standard library's `joined(separator:)` returns, which searches all conformances of the program for those of
  /// a list of texts, and takes a multiple of the instructions.
  package func joined(separator: String) -> String {
    guard var text = first else { return "" }
    text.reserveCapacity(reduce(0) { $0 + $1.utf8.count + separator.utf8.count })
    for part in dropFirst() {
      text += separator
      text += part
    }
    return text
  }
}
