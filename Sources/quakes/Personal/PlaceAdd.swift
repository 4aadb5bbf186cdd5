import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes place add NAME WHERE`: keeps a place, or moves it.
struct PlaceAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Keep a place, or move it if there is one of that name.",
    discussion: """
      Alerts that watch around a place move with it. A position that is south begins with a minus, so write it behind \
      --: quakes place add home -- -33.4,-70.6
      """)

  @Argument(help: "What to call it; capital letters make no difference.", completion: .keptPlaces)
  var name: String

  @Argument(
    help: ArgumentHelp(
      "Where it is: a position, a city, an earthquake's id or another place.", valueName: "LAT,LON|city|id|place"),
    completion: .places)
  var position: String

  @OptionGroup var storeOptions: StoreOptions

  mutating func validate() throws {
    name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    // Long names would leave no room for what is said of them.
    guard !name.isEmpty, name.count <= 60, !name.contains("\0") else {
      throw ValidationError("a place's name has 1 to 60 characters.")
    }
    if OpenStore.isPosition(name) { throw ValidationError("\"\(name)\" is a position, not a name for one.") }
  }

  mutating func run() throws {
    let personal = try PersonalWriter(try storeOptions.location())
    let store = OpenStore(personal, needsCities: !OpenStore.isPosition(position))
    // It is a position, whatever it was typed as.
    guard let centre = GeoCircle(try store.centre(position)) else {
      throw Failure(.usage, "\"\(position)\" is no position: latitudes are from -90 to 90")
    }
    let former = try personal.change(by: "quakes") { [name] context in
      let known = try context.fetch(Place.named(name)).first
      let former = known.map { "\($0.latitude),\($0.longitude)" }
      let place = known ?? Place(context: context)
      if known == nil { place.name = name }
      (place.latitude, place.longitude) = (centre.latitude, centre.longitude)
      return former
    }
    let moved = former.map { ", no longer at \($0)" } ?? ""
    try Output.line("\(name) is at \(centre.latitude),\(centre.longitude)\(moved)")
  }
}

extension GeoCircle {
  /// Only the point.
  fileprivate init?(_ centre: (latitude: Double, longitude: Double, name: String)) {
    self.init(latitude: centre.latitude, longitude: centre.longitude, radius: 0)
  }
}
