import StrataQuakes

/// The only definition of each setting, for reading, checking, printing and explaining the file.
extension Settings {
  public static let units = Setting(
    "display", "units", #""km" or "mi""#, default: #""km""#, "The unit of distances and depths: kilometers or miles."
  ) { $0.string.flatMap(DisplayStyle.Unit.init(rawValue:)) }

  public static let time = Setting(
    "display", "time", #""local", "utc" or a zone such as "Asia/Tokyo""#, default: #""local""#,
    "The time zone of displayed times."
  ) { $0.string.flatMap { DisplayZone(name: $0) } }

  public static let clock = Setting("display", "clock", "12 or 24", default: "24", "The hours of the clock.") {
    $0.int.flatMap(DisplayStyle.Clock.init(rawValue:))
  }

  public static let color = Setting(
    "display", "color", #""auto", "always" or "never""#, default: #""auto""#,
    variables: colorVariables, "The use of color."
  ) { $0.string.flatMap(Terminal.ColorChoice.init(rawValue:)) }

  /// As `Terminal` reads them: https://no-color.org and https://bixense.com/clicolors/.
  private static let colorVariables = [
    SettingVariable("NO_COLOR") { $0.isEmpty ? nil : .text("never") },
    SettingVariable("CLICOLOR_FORCE") { $0.isEmpty || $0 == "0" ? nil : .text("always") },
    SettingVariable("CLICOLOR") { $0 == "0" ? .text("never") : nil },
  ]

  public static let pager = Setting<PagerChoice>(
    "display", "pager", "true, false or a command", default: "true",
    variables: [SettingVariable("QUAKES_PAGER") { .text($0) }],
    "Whether long output on a terminal is shown in a pager; true means $PAGER, or else less -FRX."
  ) { value in
    switch value {
    case .flag(let isWanted): isWanted ? .standard : PagerChoice.none
    case .text(let command): PagerChoice(command: command)
    default: nil
    }
  }
}

extension Settings {
  /// The display of distances and times, according to the settings.
  public var displayStyle: DisplayStyle {
    let standard = DisplayStyle()
    return DisplayStyle(
      unit: self[Settings.units] ?? standard.unit, zone: self[Settings.time] ?? standard.zone,
      clock: self[Settings.clock] ?? standard.clock)
  }
}

/// Of `quakes list`.
extension Settings {
  public static let limit = Setting(
    "list", "limit", "a number of at least 0", default: "25", "The maximum number of earthquakes in lists; 0 for all."
  ) { $0.int.flatMap { $0 >= 0 ? $0 : nil } }

  public static let sort = Setting(
    "list", "sort", #""time", "magnitude", "depth" or "updated""#, default: #""time""#,
    "The sort key of lists: newest, largest, deepest or last updated first."
  ) { $0.string.flatMap { $0 == "distance" ? nil : QuakeQuery.Order(rawValue: $0) } }

  public static let place = Setting(
    "list", "place", #""service", "nearest" or "region""#, default: #""service""#,
    "The form of places in lists: the service's text, the nearest city, or the region."
  ) { $0.string.flatMap(PlaceStyle.init(rawValue:)) }

  public static let columns = Setting(
    "list", "columns", "a list of columns such as \"magnitude\", \"time\" and \"place\"",
    example: #"["magnitude", "time", "depth", "place"]"#,
    "The columns of lists and of the live screen, as --columns names them.",
    mistake: { $0.strings?.first { QuakeColumn.named($0) == nil }.map(QuakeColumn.unknownName) }
  ) { value in
    guard let names = value.strings, !names.isEmpty else { return [QuakeColumn]?.none }
    return try? QuakeColumn.named(names) { Failure(.configuration, QuakeColumn.unknownName($0)) }
  }

  public static let listMinimumMagnitude = Setting(
    "list", "min_magnitude", "a number", example: "2.5", "Only this magnitude and above."
  ) { $0.double }

  public static let listSince = Setting(
    "list", "since", TimeWords.wanted, example: #""7d""#, "Only since this time, unless --until is given."
  ) { TimeWords.past($0) }
}
