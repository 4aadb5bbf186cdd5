import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes place add NAME WHERE`: keeps a place, or moves it.
struct PlaceAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a place, or move the place of this name.",
    discussion: """
      Alerts near a place move with it.
      """)

  @Argument(help: "The place's name, which is not case-sensitive.", completion: .keptPlaces)
  var name: String

  @Argument(
    help: ArgumentHelp(
      "A position, a city, an earthquake's ID or another place.", valueName: "LAT,LON|city|id|place"),
    completion: .places)
  var position: String

  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    // Long names would not leave room for other columns.
    guard !name.isEmpty, name.count <= 60, !name.contains("\0") else {
      throw ValidationError("a place's name has 1 to 60 characters.")
    }
    if OpenStore.isPosition(name) { throw ValidationError("\"\(name)\" is a position, not a name for one.") }
  }

  mutating func run() throws {
    let personal = try PersonalWriter(try locationOptions.location())
    let store = OpenStore(personal, needsCities: !OpenStore.isPosition(position))
    // It is a position, whatever it was typed as.
    guard let center = GeoCircle(try store.center(position)) else {
      throw Failure(.usage, "\"\(position)\" is not a position: latitudes are from -90 to 90")
    }
    let former = try keep(center, in: personal)
    // Another process that added the same name at the same time, in other letters, was not seen.
    _ = try keep(center, in: personal)
    let moved = former.map { ", no longer at \($0)" } ?? ""
    try Output.line("\(name) is at \(center.latitude),\(center.longitude)\(moved)")
  }
}

extension PlaceAdd {
  /// Keeps the place, alone under its name.
  ///
  /// - Returns: where it was before.
  private func keep(_ center: GeoCircle, in personal: PersonalWriter) throws -> String? {
    try personal.change(by: "quakes") { [name] context in
      let known = try context.fetch(Place.all(named: name))
      let former = known.first.map { "\($0.latitude),\($0.longitude)" }
      let place = known.first ?? Place(context: context)
      if known.isEmpty { place.name = name }
      if place.latitude != center.latitude { place.latitude = center.latitude }
      if place.longitude != center.longitude { place.longitude = center.longitude }
      for other in known.dropFirst() {
        for case let rule as AlertRule in other.alertRules?.allObjects ?? [] { rule.place = place }
        context.delete(other)
      }
      return former
    }
  }
}

extension GeoCircle {
  /// Only the point.
  fileprivate init?(_ center: (latitude: Double, longitude: Double, name: String)) {
    self.init(latitude: center.latitude, longitude: center.longitude, radius: 0)
  }
}
