import Foundation
import StrataQuakes

/// The command line of `quakes-summary`.
///
/// Parsed by hand: the program runs every few seconds in a status bar, and loading an argument parser would take longer
/// than everything else it does.
struct SummaryOptions: Equatable {
  enum Action: Equatable {
    case print, follow, help, version
  }

  var action = Action.print
  var minimumMagnitude: Double?
  var store: String?
  /// Shows what was known at this time.
  var asOf: Date?

  /// - Parameter arguments: without the program's name.
  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let (name, attached) = Self.split(argument)
      switch name {
      case "--follow" where attached == nil: action = .follow
      case "--help" where attached == nil, "-h" where attached == nil: action = .help
      case "--version" where attached == nil: action = .version
      case "--store": store = try Self.value(name, attached: attached, rest: &rest)
      case "--as-of":
        let text = try Self.value(name, attached: attached, rest: &rest)
        guard let time = Age.date(text, before: Date()) else {
          throw Failure(
            .usage, "--as-of must be like 30m, 24h, 7d, or an instant such as 2026-11-20T12:00, not \"\(text)\"")
        }
        asOf = time
      case "--min-magnitude", "--min-mag":
        let text = try Self.value(name, attached: attached, rest: &rest)
        guard let number = Double(text), number.isFinite else {
          throw Failure(.usage, "\(name) must be a number, not \"\(text)\"")
        }
        minimumMagnitude = number
      default: throw Failure(.usage, "unknown option \"\(argument)\"; see quakes-summary --help")
      }
    }
    if asOf != nil, action == .follow { throw Failure(.usage, "--as-of and --follow exclude each other") }
  }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  private static func value(
    _ name: String, attached: String?, rest: inout ArraySlice<String>
  ) throws(Failure) -> String {
    if let attached { return attached }
    guard let next = rest.popFirst() else { throw Failure(.usage, "\(name) needs a value") }
    return next
  }

  static let help = """
    OVERVIEW: Print one line about the newest earthquake, for a status bar.

    USAGE: quakes-summary [--follow | --as-of <time>] [--min-magnitude <magnitude>] [--store <folder>]

    OPTIONS:
      --follow                      Print a new line whenever it changes, until the reader closes the pipe.
      --as-of <time>                What the services said at this time: 24h, or an instant such as 2026-11-20T12:00.
      --min-magnitude <magnitude>   Only this magnitude and above.
      --store <folder>              The store's folder (default: $QUAKES_STORE).
      --version                     Show the version.
      -h, --help                    Show help information.

    The store is only read. If there is none yet, the line says so, with status 0.
    """
}
