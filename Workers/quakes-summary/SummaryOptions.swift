import Foundation
import StrataQuakes
import StrataQuakesConfig

/// The command line of `quakes-summary`.
///
/// Parsed by hand: the program runs every few seconds in a status bar, and loading an argument parser would take longer
/// than everything else it does.
struct SummaryOptions: Equatable {
  enum Action: Equatable {
    case print, follow, printPage, help, version
  }

  var action = Action.print
  var form = SummaryForm.plain
  var template = SummaryTemplate.standard
  /// nil for any, also an unknown one.
  var minimumMagnitude: Double? = Settings.defaultSummaryMagnitude
  var store: String?
  /// Shows what was known at this time.
  var asOf: Date?
  private var asOfText: String?
  /// The text without an earthquake; nil for the default.
  var whenNone: String?
  /// Columns at most.
  var width: Int?
  /// Seconds since the last successful fetch.
  var staleAfter: TimeInterval = 15 * 60
  /// Whether to exit with status 1 if the line is stale.
  var failsIfStale = false
  /// How people read distances and times.
  var style = DisplayStyle()

  /// The settings file.
  var config: String?

  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - settings: what counts unless an argument says something else.
  init(_ arguments: [String], settings: Settings? = nil) throws(Failure) {
    if let settings { take(settings) }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let (name, attached) = Self.split(argument)
      if attached == nil, takeFlag(name) { continue }
      guard Self.valued.contains(name) else {
        let guess = Suggestion.sentence(Suggestion.options(name, among: Self.flags.sorted() + Self.valued.sorted()))
        let advice = guess.isEmpty ? " see" : "\(guess) See"
        throw Failure(.usage, "unknown option \"\(argument)\";\(advice) quakes-summary --help")
      }
      guard let value = attached ?? rest.popFirst() else { throw Failure(.usage, "\(name) needs a value") }
      try take(name, value)
    }
    // An option after it may name the zone.
    asOf = asOfText.flatMap(Moment(in: style.zone).date)
    guard action == .follow else { return }
    if asOf != nil { throw Failure(.usage, "--as-of and --follow exclude each other") }
    if failsIfStale { throw Failure(.usage, "--fail-stale and --follow exclude each other") }
  }

  private mutating func take(_ settings: Settings) {
    form = settings[Settings.format] ?? form
    template = settings[Settings.template] ?? template
    width = settings[Settings.maximumWidth]
    minimumMagnitude = settings[Settings.summaryMinimumMagnitude] ?? minimumMagnitude
    whenNone = settings[Settings.whenNone] ?? whenNone
    staleAfter = settings[Settings.staleAfter] ?? staleAfter
    style = settings.displayStyle
  }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  private mutating func takeFlag(_ name: String) -> Bool {
    switch name {
    case "--follow": action = .follow
    case "--print-url": action = .printPage
    case "--fail-stale": failsIfStale = true
    case "--utc": style.zone = .universal
    case "--local": style.zone = .local
    case "--12h": style.clock = .hours12
    case "--24h": style.clock = .hours24
    case "--help", "-h": action = .help
    case "--version": action = .version
    default: return false
    }
    return true
  }

  private static let flags: Set = [
    "--follow", "--print-url", "--fail-stale", "--utc", "--local", "--12h", "--24h", "--help", "--version",
  ]

  private static let valued: Set = [
    "--store", "--format", "--template", "--when-none", "--max-width", "--stale-after", "--as-of", "--min-magnitude",
    "--min-mag", "--units", "--zone", "--config",
  ]

  private mutating func take(_ name: String, _ value: String) throws(Failure) {
    switch name {
    case "--store": store = value
    case "--config": config = value
    case "--template": template = try SummaryTemplate(value)
    case "--when-none": whenNone = value
    case "--format":
      form = try Self.parsed(name, value, "one of \(SummaryForm.names)", SummaryForm(name: value))
    case "--units":
      style.unit = try Self.parsed(name, value, "km or mi", DisplayStyle.Unit(rawValue: value))
    case "--zone":
      let wanted = "local, utc or a zone such as Asia/Tokyo"
      style.zone = try Self.parsed(name, value, wanted, DisplayZone(name: value))
    case "--max-width":
      width = try Self.parsed(name, value, "a number of columns", Int(value).flatMap { $0 > 0 ? $0 : nil })
    case "--stale-after":
      staleAfter = try Self.parsed(name, value, "like 15m or 2h", Age.length(value))
    case "--as-of":
      let wanted = "a time such as \(Moment.examples)"
      _ = try Self.parsed(name, value, wanted, Moment(in: style.zone).date(value))
      asOfText = value
    default:
      minimumMagnitude =
        value == "any"
        ? nil : try Self.parsed(name, value, "a number or any", Double(value).flatMap { $0.isFinite ? $0 : nil })
    }
  }

  private static func parsed<T>(_ name: String, _ text: String, _ wanted: String, _ value: T?) throws(Failure) -> T {
    guard let value else { throw Failure(.usage, "\(name) must be \(wanted), not \"\(text)\"") }
    return value
  }

  static let help = """
    OVERVIEW: Print one line about the newest earthquake, for a status bar.

    USAGE: quakes-summary [--follow | --print-url] [--format <bar>] [--template <text>] [<options>]

    OPTIONS:
      --follow                      Print a new line whenever it changes, until the reader closes the pipe. SIGUSR1
                                    updates it immediately. A left click in i3bar, swaybar or i3blocks opens the page.
      --format <bar>                \(names[..<6].joined(separator: ", ")),
                                    \(names[6...].joined(separator: ", ")) (default: plain).
      --template <text>             The text of the line (default: "M {magnitude} {place} {age} · {today} today").
                                    The fields: {magnitude} {place} {age} {today} {depth} {class} {alert} {time} {clock}
                                    {id} {url} {stale}; {{ and }} are braces.
      --max-width <columns>         The maximum number of columns; the place is truncated first.
      --when-none <text>            The text if no earthquake matches; "" hides the line (default: no quakes yet).
                                    The text for a store that does not exist is always "no store".
      --stale-after <time>          The time after the last successful fetch at which the line is stale (default: 15m).
      --fail-stale                  Exit with status 1 if the line is stale. It and --follow exclude each other.
      --print-url                   Print the address of the earthquake's page instead; status 3 if it has none.
      --min-magnitude <magnitude>   Only this magnitude and above, or any (default: 4.5, about 20 earthquakes a day
                                    worldwide). Tooltips and menus say how many smaller ones there are.
      --as-of <time>                The data as known at this time: 24h, or an instant such as 2026-11-20T12:00.
                                    It and --follow exclude each other.
      --units <unit>                The unit of distances: km or mi (default: km).
      --local, --utc                Show times in the local time zone (the default) or in UTC.
      --zone <name>                 The time zone of displayed times, such as Asia/Tokyo.
      --24h, --12h                  The hours of the clock (default: 24).
      --store <folder>              The store's folder (default: $QUAKES_STORE).
      --config <file>               The settings (default: $QUAKES_CONFIG, else ~/.config/quakes/config.toml).
      --version                     Show the version.
      -h, --help                    Show help information.

    The store is only read. Before the first fetch into the default store, the line says that there are no quakes yet.

    Exit status: 0 on success, 1 if the line is stale and --fail-stale was given, 2 for wrong usage, 3 if there is no page
    to print, 4 if the store cannot be used, 9 if the store that was chosen does not exist, 33 with --format i3blocks if
    the earthquake is urgent (magnitude 6 and above, or an orange or red alert, for an hour), 74 if the output cannot be
    written, 78 if the settings are wrong.
    """

  private static var names: [String] { SummaryForm.allNames }
}
