import ArgumentParser
import Foundation
import StrataQuakes

/// `quakes list`: prints earthquakes, newest first.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List earthquakes, newest first.")

  @OptionGroup(title: "Which") var filterOptions: FilterOptions
  @OptionGroup(title: "In which order") var orderOptions: OrderOptions
  @OptionGroup var listing: ListingOptions

  mutating func validate() throws {
    if orderOptions.sort == .distance, filterOptions.nearOptions.near == nil {
      throw ValidationError("--sort distance needs --near, from where to measure.")
    }
  }

  mutating func run() throws {
    let now = Date()
    let store = try listing.open(near: filterOptions.nearOptions.near)
    let filter = filterOptions.filter(at: now, circle: try store.circle(filterOptions.nearOptions))
    let query = QuakeQuery(
      filter, order: orderOptions.sort ?? .time, isReversed: orderOptions.reverse,
      limit: listing.limitOptions.limit ?? 25)
    try listing.list(query, of: store, at: now)
  }
}
