import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// `quakes top`: prints the largest earthquakes of a time.
struct Top: ListingCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the largest earthquakes, largest first.",
    discussion: "The default time is the last seven days.")

  @OptionGroup(title: "Filters") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup var listing: ListingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  var center: String? { nearOptions.near }

  func query(of store: OpenStore, at moment: Moment, _ settings: Settings) throws -> (QuakeQuery, title: OutputText?) {
    let circle = try store.circle(nearOptions, withinOptions)
    var filter = try store.filter(filterOptions, at: moment, circle: circle, asOf: listing.asOf)
    if filter.since == nil, filter.until == nil { filter.since = moment.now.addingTimeInterval(-7 * 86_400) }
    return (QuakeQuery(filter, order: .magnitude, limit: listing.limit ?? 10), nil)
  }
}
