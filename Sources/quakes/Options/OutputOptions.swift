import ArgumentParser
import StrataQuakes
import StrataQuakesConfig

/// The output's style.
struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Colour: auto, always or never.", valueName: "when"))
  var color: Color?

  @Flag(help: "The same as --color=never.")
  var noColor = false

  @Option(help: ArgumentHelp("Distances and depths in km or mi.", valueName: "unit"), transform: unit)
  var units: DisplayStyle.Unit?

  @Flag(help: "Times in the local zone, or in UTC.")
  var zoneFlag: ZoneFlag?

  @Option(help: ArgumentHelp("Times in this zone, such as Asia/Tokyo.", valueName: "name"), transform: zone)
  var zone: DisplayZone?

  @Flag(help: "The hours that a clock has.")
  var clock: ClockFlag?

  @Flag(help: "Never through a pager.")
  var noPager = false

  mutating func validate() throws {
    if zone != nil, let zoneFlag { throw ValidationError("--zone and --\(zoneFlag) exclude each other.") }
  }

  func style(_ settings: Settings) -> DisplayStyle {
    DisplayStyle(
      unit: units ?? settings[Settings.units] ?? .kilometres,
      zone: zone ?? zoneFlag?.zone ?? settings[Settings.time] ?? .local,
      clock: clock?.hours ?? settings[Settings.clock] ?? .hours24)
  }

  private static func unit(_ text: String) throws -> DisplayStyle.Unit {
    if let unit = DisplayStyle.Unit(rawValue: text) { return unit }
    throw ValidationError("it must be km or mi, not \"\(text)\".")
  }

  private static func zone(_ text: String) throws -> DisplayZone {
    if let zone = DisplayZone(name: text) { return zone }
    throw ValidationError("it must be local, utc or a zone of the IANA database such as Asia/Tokyo, not \"\(text)\".")
  }

  enum ZoneFlag: EnumerableFlag {
    case local, utc

    var zone: DisplayZone { self == .local ? .local : .universal }
  }

  enum ClockFlag: EnumerableFlag {
    case hours12, hours24

    static func name(for value: Self) -> NameSpecification { .customLong(value == .hours12 ? "12h" : "24h") }

    var hours: DisplayStyle.Clock { self == .hours12 ? .hours12 : .hours24 }
  }

  /// Sends what follows through a pager, if it goes to a terminal.
  func startPager(_ settings: Settings) {
    // A flag is not the environment's to override.
    if !noPager { Pager.start(settings[Settings.pager] ?? .usual) }
  }

  func terminal(_ settings: Settings) -> Terminal {
    Terminal(color: noColor ? .never : color?.choice ?? .auto, usual: settings[Settings.color] ?? .auto)
  }

  enum Color: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    var choice: Terminal.ColorChoice {
      switch self {
      case .auto: .auto
      case .always: .always
      case .never: .never
      }
    }
  }
}
