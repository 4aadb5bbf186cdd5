import StrataQuakes

/// Lets `--json` and `--ndjson` be followed by the names of fields, as in `--json id,magnitude,place`.
///
/// The parser does not support options with an optional value. Words that look like field names, not like an ID or a
/// place, are moved to `--fields`, which validates them.
enum FieldArguments {
  private static let forms: Set = ["--json", "--ndjson"]

  /// The commands that write fields of earthquakes, and whether an ID or a place may follow too.
  private static let commands = ["list": false, "top": false, "near": true, "aftershocks": true, "show": true]

  /// - Parameter arguments: without the program's name.
  static func expanded(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, let hasOthers = commands[first.hasPrefix("-") ? "list" : first] else {
      return arguments
    }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var words: [String] = []
    for (index, word) in arguments.enumerated() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if index < end, parts.count == 2, forms.contains(parts[0]) {
        words += [parts[0], "--fields", parts[1]]
      } else if index > 0, index < end, forms.contains(arguments[index - 1]), isFields(word, amongOthers: hasOthers) {
        words += ["--fields", word]
      } else {
        words.append(word)
      }
    }
    return words
  }

  /// One known name is enough, so that unknown names in the list are reported.
  private static func isFields(_ word: String, amongOthers: Bool) -> Bool {
    // A number is the length of a list.
    if !amongOthers { return !word.hasPrefix("-") && Int(word) == nil }
    let names = word.split(separator: ",").map { $0.drop { $0 == " " } }
    return names.contains { FactField.named(String($0)) != nil }
  }
}
