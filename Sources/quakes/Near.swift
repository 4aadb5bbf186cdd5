import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes near PLACE`: prints the earthquakes around a point.
struct Near: ListingCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the earthquakes near a place, nearest first.",
    discussion: """
      A place is a position such as 42.0,21.4, one of yours (quakes place), an earthquake's id, or a city of the \
      Reference store: "Skopje", or "Valencia, Spain" if there are several. Of cities with the same name it is the \
      one with the most inhabitants.
      """)

  @Argument(
    help: ArgumentHelp("Where: a position, a place of yours, an earthquake's id or a city.", valueName: "place"),
    completion: .places)
  var centre: String

  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup(title: "Which") var filterOptions: FilterOptions
  @OptionGroup var orderOptions: OrderOptions
  @OptionGroup var limitOptions: LimitOptions
  @OptionGroup var listing: ListingOptions
  @OptionGroup var asOfOptions: AsOfOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    let now = Date()
    let settings = try locationOptions.settings()
    let store = try open(near: centre, settings)
    let circle = try store.circle(centre, within: withinOptions.within)
    let filter = try store.filter(filterOptions, at: now, circle: circle, asOf: asOfOptions)
    let query = QuakeQuery(
      filter, order: orderOptions.sort ?? .distance, isReversed: orderOptions.reverse, limit: limitOptions.limit ?? 25)
    try list(query, of: store, at: now, settings)
  }
}
