import ArgumentParser
import StrataQuakes

/// The output's style.
struct OutputOptions: ParsableArguments {
  @Option(help: "Colour: auto, always or never.")
  var color = Color.auto

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

  mutating func validate() throws {
    if zone != nil, let zoneFlag { throw ValidationError("--zone and --\(zoneFlag) exclude each other.") }
  }

  var style: DisplayStyle {
    var style = DisplayStyle()
    if let units { style.unit = units }
    if let zone = zone ?? zoneFlag?.zone { style.zone = zone }
    if let clock { style.clock = clock.hours }
    return style
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

  var terminal: Terminal { Terminal(color: noColor ? .never : color.choice) }

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
