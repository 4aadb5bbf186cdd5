import ArgumentParser
import Foundation
import StrataQuakes

/// `quakes top`: prints the largest earthquakes of a time.
struct Top: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the largest earthquakes of a time, largest first.",
    discussion: "Without --since and --until it is the last seven days.")

  @OptionGroup(title: "Which") var filterOptions: FilterOptions
  @OptionGroup var listing: ListingOptions

  mutating func run() throws {
    let now = Date()
    let store = try listing.open(near: filterOptions.nearOptions.near)
    var filter = filterOptions.filter(at: now, circle: try store.circle(filterOptions.nearOptions))
    if filter.since == nil, filter.until == nil { filter.since = now.addingTimeInterval(-7 * 86_400) }
    let query = QuakeQuery(filter, order: .magnitude, limit: listing.limitOptions.limit ?? 10)
    try listing.list(query, of: store, at: now)
  }
}
