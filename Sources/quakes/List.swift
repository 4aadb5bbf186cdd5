import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion
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

  @Option(
    help: ArgumentHelp("A view from the settings: a filter of the live screen, and its order.", valueName: "name"),
    completion: .views)
  var view: String?

  @OptionGroup(title: "Filters") var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup(title: "Order") var orderOptions: OrderOptions
  @OptionGroup var listing: ListingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    try WordArguments.check(words, limit: listing.limit)
    if orderOptions.sort == .distance, nearOptions.near == nil, view == nil {
      throw ValidationError("--sort distance needs --near.")
    }
  }

  /// A view may be near a city.
  var center: String? { nearOptions.near ?? (view == nil ? nil : "") }

  func query(of store: OpenStore, at moment: Moment, _ settings: Settings) throws -> (QuakeQuery, title: OutputText?) {
    let words = WordArguments(words)
    let limit = listing.limit ?? words.limit ?? settings[Settings.limit] ?? 25
    if let view = try view.map(settings.view(named:)) {
      let filter = try filter(of: view, words.filter(filterOptions), of: store, at: moment)
      let order = order(of: view, settings)
      return (QuakeQuery(filter, order: order.key, isReversed: order.isReversed, limit: limit), nil)
    }
    let circle = try store.circle(nearOptions, withinOptions)
    var filter = try store.filter(words.filter(filterOptions), at: moment, circle: circle, asOf: listing.asOf)
    filter.minimumMagnitude = filter.minimumMagnitude ?? settings[Settings.listMinimumMagnitude]
    if filter.since == nil, filter.until == nil {
      filter.since = settings[Settings.listSince].flatMap(moment.date)
    }
    let order = order(of: nil, settings)
    return (QuakeQuery(filter, order: order.key, isReversed: order.isReversed, limit: limit), nil)
  }

  /// The options' order, else the view's, else the settings'.
  func order(of view: SavedView?, _ settings: Settings) -> (key: QuakeQuery.Order, isReversed: Bool) {
    if let key = orderOptions.sort { return (key, orderOptions.reverse) }
    return (view?.order ?? settings[Settings.sort] ?? .time, orderOptions.reverse != (view?.isReversed ?? false))
  }

  /// The filter of a view and options, the same as on the screen: what lists show without a filter does not count.
  private func filter(
    of view: SavedView, _ options: FilterOptions, of store: OpenStore, at moment: Moment
  ) throws -> QuakeFilter {
    let filter = try ScreenFilter(view, options, near: nearOptions.near, within: withinOptions.within)
    if listing.asOf != nil, !filter.marks.isEmpty { throw OpenStore.marksOfToday }
    let circle = try filter.near.map { try store.circle($0, within: filter.within) }
    return try filter.filter(at: moment, circle: circle, marked: store.identifiers)
  }
}
