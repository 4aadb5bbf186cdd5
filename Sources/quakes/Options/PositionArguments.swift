/// Lets positions south of the equator be typed as they are: the parser takes what begins with a hyphen for an option.
enum PositionArguments {
  /// Puts a space, which a position may have, before such words. What follows `--` or `--exec` is left alone.
  static func escaped(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex { $0 == "--" || $0 == "--exec" } ?? arguments.endIndex
    return arguments[..<end].map { isSouthern($0) ? " " + $0 : $0 } + arguments[end...]
  }

  private static func isSouthern(_ word: String) -> Bool {
    let numbers = word.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    return word.hasPrefix("-") && numbers.count == 2 && numbers.allSatisfy { $0 != nil }
  }
}
