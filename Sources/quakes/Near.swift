import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion
import StrataQuakesConfig

/// `quakes near PLACE`: prints the earthquakes around a point.
struct Near: ListingCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the earthquakes near a place, nearest first.",
    discussion: """
      A place is a position such as 42.0,21.4, one of your places (quakes place), an earthquake's ID, or a city of the \
      Reference store: "Skopje", or "Valencia, Spain" if there are several. Of several cities with the same name, the \
      largest is used.
      """)

  @Argument(
    help: ArgumentHelp("A position, a place of yours, an earthquake's ID or a city.", valueName: "place"),
    completion: .places)
  var place: String

  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup(title: "Filters") var filterOptions: FilterOptions
  @OptionGroup var orderOptions: OrderOptions
  @OptionGroup var listing: ListingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  var center: String? { place }

  func query(of store: OpenStore, at moment: Moment, _ settings: Settings) throws -> (QuakeQuery, title: OutputText?) {
    let circle = try store.circle(place, within: withinOptions.within)
    let filter = try store.filter(filterOptions, at: moment, circle: circle, asOf: listing.asOf)
    let query = QuakeQuery(
      filter, order: orderOptions.sort ?? .distance, isReversed: orderOptions.reverse, limit: listing.limit ?? 25)
    return (query, nil)
  }
}
