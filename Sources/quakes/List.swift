import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// `quakes list`: prints earthquakes, newest first.
struct List: ListingCommand {
  static let configuration = CommandConfiguration(
    abstract: "List earthquakes, newest first.",
    discussion: """
      On a terminal, quakes without a command opens the live screen instead, with the same options. Options that only \
      apply to lists, such as --limit and --json, select this list there too.
      """)

  @Argument(help: WordArguments.help)
  var words: [String] = []

  @OptionGroup(title: "Filters") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup(title: "Order") var orderOptions: OrderOptions
  @OptionGroup var listing: ListingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    try WordArguments.check(words, limit: listing.limit)
    if orderOptions.sort == .distance, nearOptions.near == nil {
      throw ValidationError("--sort distance needs --near.")
    }
  }

  var center: String? { nearOptions.near }

  func query(of store: OpenStore, at moment: Moment, _ settings: Settings) throws -> (QuakeQuery, title: OutputText?) {
    let circle = try store.circle(nearOptions, withinOptions)
    let words = WordArguments(words)
    var filter = try store.filter(words.filter(filterOptions), at: moment, circle: circle, asOf: listing.asOf)
    filter.minimumMagnitude = filter.minimumMagnitude ?? settings[Settings.listMinimumMagnitude]
    if filter.since == nil, filter.until == nil {
      filter.since = settings[Settings.listSince].flatMap(moment.date)
    }
    let query = QuakeQuery(
      filter, order: orderOptions.sort ?? settings[Settings.sort] ?? .time, isReversed: orderOptions.reverse,
      limit: listing.limit ?? words.limit ?? settings[Settings.limit] ?? 25)
    return (query, nil)
  }
}
