import ArgumentParser
import Foundation
import StrataQuakes

/// `quakes list`: prints earthquakes, newest first.
struct List: ListingCommand {
  static let configuration = CommandConfiguration(abstract: "List earthquakes, newest first.")

  @OptionGroup(title: "Which") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup(title: "In which order") var orderOptions: OrderOptions
  @OptionGroup var limitOptions: LimitOptions
  @OptionGroup var listing: ListingOptions
  @OptionGroup var asOfOptions: AsOfOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var storeOptions: StoreOptions

  mutating func validate() throws {
    if orderOptions.sort == .distance, nearOptions.near == nil {
      throw ValidationError("--sort distance needs --near, from where to measure.")
    }
  }

  mutating func run() throws {
    let now = Date()
    let store = try open(near: nearOptions.near)
    let circle = try store.circle(nearOptions, withinOptions)
    let filter = try store.filter(filterOptions, at: now, circle: circle, asOf: asOfOptions)
    let query = QuakeQuery(
      filter, order: orderOptions.sort ?? .time, isReversed: orderOptions.reverse,
      limit: limitOptions.limit ?? 25)
    try list(query, of: store, at: now)
  }
}
