import ArgumentParser
import StrataQuakes

/// Around which point to show earthquakes.
struct NearOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only near this: a position, a place of yours, an earthquake's id or a city.", valueName: "LAT,LON|place|id|city"),
    completion: .places)
  var near: String?
}

/// How far around a point to look.
struct WithinOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How near: 500km (the default) or 300mi.", valueName: "distance"), transform: kilometres)
  var within: Double?

  static func kilometres(_ text: String) throws -> Double {
    let units: [(String, Double)] = [("km", 1), ("mi", 1.609344), ("", 1)]
    for (unit, size) in units where text.lowercased().hasSuffix(unit) {
      guard let number = Double(text.dropLast(unit.count)), number >= 0, number.isFinite else { break }
      return number * size
    }
    throw ValidationError("it must be a distance such as 500km or 300mi, not \"\(text)\".")
  }
}
