import ArgumentParser
import StrataQuakes
import StrataQuakesCompletion

/// Around which point to show earthquakes.
struct NearOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only near a position, a place of yours, an earthquake's ID or a city.", valueName: "LAT,LON|place|id|city"),
    completion: .places)
  var near: String?
}

/// How far around a point to look.
struct WithinOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The maximum distance, such as 500km (the default for a place), \"300 miles\" or 3deg.", valueName: "distance"),
    transform: kilometers)
  var within: Double?

  static func kilometers(_ text: String) throws -> Double {
    if let distance = DistanceText.kilometers(text) { return distance }
    throw ValidationError("it must be a distance such as \(DistanceText.examples), not \"\(text)\".")
  }
}
