import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// `quakes list`: prints earthquakes, newest first.
struct List: ListingCommand {
  static let configuration = CommandConfiguration(
    abstract: "List earthquakes, newest first.",
    discussion: """
      On a terminal, quakes without a command opens the live screen instead, with the same options. Those that only a \
      list has, such as --limit and --json, make it this list there too.
      """)

  @OptionGroup(title: "Which") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup(title: "In which order") var orderOptions: OrderOptions
  @OptionGroup var limitOptions: LimitOptions
  @OptionGroup var listing: ListingOptions
  @OptionGroup var asOfOptions: AsOfOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    if orderOptions.sort == .distance, nearOptions.near == nil {
      throw ValidationError("--sort distance needs --near, from where to measure.")
    }
  }

  mutating func run() throws {
    let now = Date()
    let settings = try locationOptions.settings()
    let store = try open(near: nearOptions.near, settings)
    let circle = try store.circle(nearOptions, withinOptions)
    var filter = try store.filter(filterOptions, at: now, circle: circle, asOf: asOfOptions)
    filter.minimumMagnitude = filter.minimumMagnitude ?? settings[Settings.listMinimumMagnitude]
    if filter.since == nil, filter.until == nil {
      filter.since = settings[Settings.listSince].flatMap { Age.date($0, before: now) }
    }
    let query = QuakeQuery(
      filter, order: orderOptions.sort ?? settings[Settings.sort] ?? .time, isReversed: orderOptions.reverse,
      limit: limitOptions.limit ?? settings[Settings.limit] ?? 25)
    try list(query, of: store, at: now, settings)
  }
}
