import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// `quakes top`: prints the largest earthquakes of a time.
struct Top: ListingCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the largest earthquakes, largest first.",
    discussion: "The default time is the last seven days.")

  @Argument(help: WordArguments.help)
  var words: [String] = []

  @OptionGroup(title: "Filters") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup var listing: ListingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws { try WordArguments.check(words, limit: listing.limit) }

  var center: String? { nearOptions.near }

  func query(of store: OpenStore, at moment: Moment, _ settings: Settings) throws -> (QuakeQuery, title: OutputText?) {
    let circle = try store.circle(nearOptions, withinOptions)
    let words = WordArguments(words)
    var filter = try store.filter(words.filter(filterOptions), at: moment, circle: circle, asOf: listing.asOf)
    if filter.since == nil, filter.until == nil { filter.since = moment.now.addingTimeInterval(-7 * 86_400) }
    return (QuakeQuery(filter, order: .magnitude, limit: listing.limit ?? words.limit ?? 10), nil)
  }
}
