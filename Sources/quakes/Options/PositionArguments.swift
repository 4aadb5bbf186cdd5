import StrataQuakes

/// Lets a position be two words, as in `quakes near 35.7 139.7`, and one in the south an argument although it begins with a
/// minus: `quakes near -20,-70`.
///
/// The parser takes such a word for an option. Only the values of options can be exempt (`parsing: .unconditional`).
enum PositionArguments {
  /// The commands that take a position. `--near` takes its own.
  private static let commands: Set = ["near", "place"]
  private static let option = "--near="

  /// - Parameter arguments: without the program's name.
  /// - Returns: the same with two words of a position as one, and with a position that is an argument at the end, behind `--`
  ///   if it begins with a minus.
  static func expanded(_ arguments: [String]) -> [String] { moved(joined(arguments)) }

  private static func joined(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    for index in arguments.indices.dropFirst() where index + 1 < end {
      // A negative number is attached to its option: see `NegativeValues`.
      let isAttached = arguments[index].hasPrefix(option)
      let first = String(arguments[index].dropFirst(isAttached ? option.count : 0))
      let isValue = isAttached || arguments[index - 1] == "--near"
      // The value of another option is not a part of the position.
      guard isValue || commands.contains(arguments[0]) && !arguments[index - 1].hasPrefix("--"),
        !OpenStore.isPosition(first), OpenStore.isPosition("\(first) \(arguments[index + 1])")
      else { continue }
      let position = "\(isAttached ? option : "")\(first),\(arguments[index + 1])"
      return arguments[..<index] + [position] + arguments[(index + 2)...]
    }
    return arguments
  }

  private static func moved(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, commands.contains(first), !arguments.contains("--"),
      let index = arguments.firstIndex(where: { $0.hasPrefix("-") && OpenStore.isPosition($0) }),
      arguments[index - 1] != "--near"
    else { return arguments }
    return arguments[..<index] + arguments[(index + 1)...] + ["--", arguments[index]]
  }
}
