import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes place remove NAME`: forgets a place, unless an alert watches around it.
struct PlaceRemove: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a place.")

  @Argument(help: "The place's name.", completion: .keptPlaces)
  var name: String

  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    let location = try locationOptions.location()
    try location.refuseMistyped()
    guard location.hasPersonal else { throw Self.unknown(name, names: []) }
    let removed = try PersonalWriter(location).change(by: "quakes") { [name] context in
      guard let place = try context.fetch(Place.named(name)).first else {
        throw Self.unknown(name, names: try context.fetch(Place.all()).compactMap(\.name))
      }
      let alerts = place.alertNames
      guard alerts.isEmpty else {
        throw Failure(
          .usage,
          """
          cannot remove "\(place.name ?? name)": the alert\(alerts.count == 1 ? "" : "s") \
          \(alerts.joined(separator: ", ")) watch\(alerts.count == 1 ? "es" : "") around it; remove \
          \(alerts.count == 1 ? "it" : "them") first, or move the place with "quakes place add"
          """)
      }
      context.delete(place)
      return place.name ?? name
    }
    try Output.line("\(removed) is removed")
  }

  private static func unknown(_ name: String, names: [String]) -> Failure {
    let known = names.isEmpty ? "you have none yet" : "your places are \(names.joined(separator: ", "))"
    return Failure(.notFound, "there is no place \"\(name)\"; \(known)")
  }
}
