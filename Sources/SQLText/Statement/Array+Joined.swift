extension [String] {
  /// The result of the standard library's `joined(separator:)`, which searches all conformances of the program for
  /// those of a list of strings, and takes several times the instructions.
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
