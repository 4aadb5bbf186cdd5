import ArgumentParser
import StrataQuakes
import StrataQuakesConfig

/// The output's style.
///
/// Options are texts and flags: for each other type the parser searches the whole program for what it can do, which takes
/// as long as a query.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The use of color: auto, always or never.", valueName: "when"),
    completion: .list(["auto", "always", "never"]))
  var color: String?

  @Flag(help: "The same as --color=never.")
  var noColor = false

  @Option(
    help: ArgumentHelp("The unit of distances and depths, km or mi.", valueName: "unit"),
    completion: .list(["km", "mi"]))
  var units: String?

  @Flag(help: "Show times in the local time zone.")
  var local = false

  @Flag(help: "Show times in UTC.")
  var utc = false

  @Option(help: ArgumentHelp("The time zone of displayed times, such as Asia/Tokyo.", valueName: "name"))
  var zone: String?

  @Flag(name: .customLong("12h"), help: "Show times with a 12-hour clock.")
  var has12Hours = false

  @Flag(name: .customLong("24h"), help: "Show times with a 24-hour clock.")
  var has24Hours = false

  @Flag(help: "Do not use a pager.")
  var noPager = false

  mutating func validate() throws {
    if let color, colorChoice == nil {
      throw ValidationError("--color must be auto, always or never, not \"\(color)\".")
    }
    if let units, unit == nil { throw ValidationError("--units must be km or mi, not \"\(units)\".") }
    if let zone, DisplayZone(name: zone) == nil {
      throw ValidationError(
        "--zone must be local, utc or a zone of the IANA database such as Asia/Tokyo, not \"\(zone)\".")
    }
    if [local, utc, zone != nil].filter(\.self).count > 1 {
      throw ValidationError("--local, --utc and --zone exclude each other.")
    }
    if has12Hours, has24Hours { throw ValidationError("--12h and --24h exclude each other.") }
  }

  private var colorChoice: Terminal.ColorChoice? { color.flatMap(Terminal.ColorChoice.init(rawValue:)) }

  private var unit: DisplayStyle.Unit? { units.flatMap(DisplayStyle.Unit.init(rawValue:)) }

  private var displayZone: DisplayZone? {
    local ? .local : utc ? .universal : zone.flatMap { DisplayZone(name: $0) }
  }

  private var clock: DisplayStyle.Clock? { has12Hours ? .hours12 : has24Hours ? .hours24 : nil }
}

/// The effective values: the options, else the settings, else the defaults.
extension OutputOptions {
  func style(_ settings: Settings) -> DisplayStyle {
    let set = settings.displayStyle
    return DisplayStyle(unit: unit ?? set.unit, zone: displayZone ?? set.zone, clock: clock ?? set.clock)
  }

  /// The columns of tables. A zone or a clock that the user chose shows the clock time.
  ///
  /// - Parameter chosen: those of the command line.
  func columns(_ chosen: [QuakeColumn]?, _ settings: Settings) -> ColumnChoice {
    if let named = chosen ?? settings[Settings.columns] { return .named(named) }
    let isSet = settings[Settings.time] != nil || settings[Settings.clock] != nil
    return .usual(hasClock: displayZone != nil || clock != nil || isSet)
  }

  /// The terminal's abilities. Must be read before the pager starts.
  func terminal(_ settings: Settings) -> Terminal {
    Terminal(color: noColor ? .never : colorChoice ?? .auto, default: settings[Settings.color] ?? .auto)
  }

  /// Sends what follows through a pager, if it goes to a terminal.
  func startPager(_ settings: Settings) {
    // A flag is not the environment's to override.
    if !noPager { Pager.start(settings[Settings.pager] ?? .standard) }
  }
}
