import StrataQuakes

/// Lets a position in the south be an argument, although it begins with a minus: `quakes near -20,-70`.
///
/// The parser takes such a word for an option. Only the values of options can be exempt (`parsing: .unconditional`).
enum PositionArguments {
  /// The commands that take a position. `--near` takes its own.
  private static let commands: Set = ["near", "place"]

  /// - Parameter arguments: without the program's name.
  /// - Returns: the same with the position at the end, behind `--`.
  static func expanded(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, commands.contains(first), !arguments.contains("--"),
      let index = arguments.firstIndex(where: { $0.hasPrefix("-") && OpenStore.isPosition($0) }),
      arguments[index - 1] != "--near"
    else { return arguments }
    return arguments[..<index] + arguments[(index + 1)...] + ["--", arguments[index]]
  }
}
