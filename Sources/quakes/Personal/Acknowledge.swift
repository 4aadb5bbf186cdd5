import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes ack ID…`: marks earthquakes as seen.
struct Acknowledge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack",
    abstract: "Acknowledge earthquakes.",
    discussion: """
      quakes ack --all acknowledges all earthquakes, or those that match the filters of quakes list. quakes list then \
      shows a check mark before each of them, and quakes list --unacknowledged shows only the others.
      """)

  @Flag(help: "All earthquakes that match the filters.")
  var all = false

  @Flag(help: "Undo the acknowledgment.")
  var remove = false

  @Argument(help: "The earthquakes' IDs, or any unambiguous parts of them.", completion: .earthquakes)
  var ids: [String] = []

  @OptionGroup(title: "Filters, with --all") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    if ids.isEmpty != all {
      throw ValidationError("Give either IDs of earthquakes, or --all and filters.")
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
      try Output.line("\(CountText.of(found.count, "earthquake")) found, \(count) of them \(done)")
    }
    for quake in quakes { try Output.line("\(quake.words) is \(remove ? "no longer " : "")acknowledged") }
  }

  private func matches(in store: OpenStore, at now: Date) throws -> [String] {
    let circle = try store.circle(nearOptions, withinOptions)
    let moment = Moment(now, in: try locationOptions.settings().displayStyle.zone)
    let filter = try store.filter(filterOptions, at: moment, circle: circle, asOf: nil)
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
