import ArgumentParser
import Foundation
import StrataQuakes

/// `quakes top`: prints the largest earthquakes of a time.
struct Top: ListingCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the largest earthquakes of a time, largest first.",
    discussion: "Without --since and --until it is the last seven days.")

  @OptionGroup(title: "Which") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup var limitOptions: LimitOptions
  @OptionGroup var listing: ListingOptions
  @OptionGroup var asOfOptions: AsOfOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    let now = Date()
    let settings = try locationOptions.settings()
    let store = try open(near: nearOptions.near, settings)
    let circle = try store.circle(nearOptions, withinOptions)
    var filter = try store.filter(filterOptions, at: now, circle: circle, asOf: asOfOptions)
    if filter.since == nil, filter.until == nil { filter.since = now.addingTimeInterval(-7 * 86_400) }
    let query = QuakeQuery(filter, order: .magnitude, limit: limitOptions.limit ?? 10)
    try list(query, of: store, at: now, settings)
  }
}
