import CoreData
import Foundation
import StrataQuakes

/// The stores of a command that marks earthquakes.
struct Marking {
  let personal: PersonalWriter
  let store: OpenStore

  /// - Throws: `Failure` if no earthquake is to be marked, or if the store cannot be written.
  init(_ options: LocationOptions, needsCities: Bool = false) throws(Failure) {
    let location = try options.location()
    guard location.hasStore else { throw Failure.noStore(location) }
    personal = try PersonalWriter(location)
    store = OpenStore(personal, needsCities: needsCities)
  }

  /// An earthquake to mark.
  struct Target {
    var identifier: String
    var words: String
  }

  /// - Throws: `Failure` if one of the IDs leads to no earthquake.
  func quakes(_ ids: [String]) throws -> [Target] {
    try store.read { context in
      try ids.map { id in
        guard let facts = try Quake.find(typed: id, in: context)?.facts else { throw Failure.noQuake(id) }
        return Target(
          identifier: facts.identifier, words: "\(facts.identifier) (M \(facts.magnitudeText) \(facts.placeText))")
      }
    }
  }
}
