import ArgumentParser
import StrataQuakes

/// Around which point to show earthquakes.
struct NearOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only near this place: a position, a city or an earthquake's id.", valueName: "LAT,LON|place|id"),
    completion: .places)
  var near: String?
}

/// How far around a point to look.
struct WithinOptions: ParsableArguments {
  /// Beyond it an earthquake of magnitude 7 is hardly felt.
  static let usualRadius = 500.0  // kilometres

  @Option(help: ArgumentHelp("How near: 500km (the default) or 300mi.", valueName: "distance"), transform: kilometres)
  var within: Double?

  private static func kilometres(_ text: String) throws -> Double {
    if let distance = DistanceText.kilometres(text) { return distance }
    throw ValidationError("it must be a distance such as 500km or 300mi, not \"\(text)\".")
  }
}
