import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes ack ID…`: says that the user has seen earthquakes.
struct Acknowledge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack",
    abstract: "Acknowledge earthquakes: what you have not acknowledged is new to you.",
    discussion: """
      quakes ack --all acknowledges everything that is listed, or with the filters of quakes list what they leave. quakes \
      list then shows a dot before what is new, and --unacknowledged nothing else.
      """)

  @Flag(help: "All earthquakes that the filters leave.")
  var all = false

  @Flag(help: "Take it back.")
  var remove = false

  @Argument(help: "The earthquakes' ids, or parts of them that no others have.", completion: .earthquakes)
  var ids: [String] = []

  @OptionGroup(title: "Which, with --all") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    if ids.isEmpty != all {
      throw ValidationError("Give the ids of earthquakes, or --all and filters: not both, and not neither.")
    }
  }

  mutating func run() throws {
    let now = Date()
    let marking = try Marking(locationOptions, needsCities: all && !OpenStore.isPosition(nearOptions.near))
    let quakes = try all ? [] : marking.quakes(ids)
    let found = try all ? matches(in: marking.store, at: now) : quakes.map(\.identifier)
    let count = try marking.personal.mark(found, by: "quakes") { [remove] mark in
      // The first time is when it was new.
      mark.acknowledged = remove ? nil : mark.acknowledged ?? now
    }
    if all {
      let done = remove ? "no longer acknowledged" : "newly acknowledged"
      try Output.line("\(found.count) earthquake\(found.count == 1 ? "" : "s") found, \(count) of them \(done)")
    }
    for quake in quakes { try Output.line("\(quake.words) is \(remove ? "no longer " : "")acknowledged") }
  }

  private func matches(in store: OpenStore, at now: Date) throws -> [String] {
    let circle = try store.circle(nearOptions, withinOptions)
    let filter = try store.filter(filterOptions, at: now, circle: circle, asOf: nil)
    return try store.read { context in
      var found: [String] = []
      try Quake.forEach(QuakeQuery(filter), in: context) { quake in
        if let identifier = quake.identifier { found.append(identifier) }
        return true
      }
      return found
    }
  }
}
