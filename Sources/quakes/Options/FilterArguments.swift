import Foundation
import StrataQuakes
import StrataQuakesConfig

/// Puts the words of named filters on the command line, where they are parsed and checked as if they had been typed: the parser
/// takes defaults from the code alone.
enum FilterArguments {
  /// - Parameter arguments: without the program's name.
  /// - Returns: the words ahead of the options, so that an option that was typed counts more.
  /// - Throws: `Failure` if the settings have mistakes, or no such filter.
  static func expanded(_ arguments: [String]) throws(Failure) -> [String] {
    // A shell asks what may follow the words.
    if arguments.first?.hasPrefix("---") == true { return arguments }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let names = values(of: "--filter", in: arguments[..<end])
    guard !names.isEmpty, let start = arguments.firstIndex(where: { $0.hasPrefix("-") }) else { return arguments }
    let settings = try SettingsFile(option: values(of: "--config", in: arguments[..<end]).last).settings()
    var words: [String] = []
    for name in names { words += try settings.arguments(ofFilter: name) }
    return arguments[..<start] + words + arguments[start...]
  }

  private static func values(of option: String, in arguments: ArraySlice<String>) -> [String] {
    arguments.indices.compactMap { index in
      if arguments[index].hasPrefix(option + "=") { return String(arguments[index].dropFirst(option.count + 1)) }
      let next = arguments.index(after: index)
      return arguments[index] == option && next < arguments.endIndex ? arguments[next] : nil
    }
  }
}
