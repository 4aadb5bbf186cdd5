import Foundation
import StrataQuakes
import StrataQuakesConfig
import StrataQuakesScreen

/// The initial state of the screen.
struct ScreenOptions: Sendable {
  var store: LocationOptions
  var filter: ScreenFilter
  /// The name of the view that the filter is of; nil without one.
  var view: String?
  var order: QuakeQuery.Order
  var isReversed: Bool
  /// The list's words.
  var place: PlaceStyle
  var keys: KeyTable
  var hasColor: Bool
  var style: DisplayStyle
  var columns: ColumnChoice
}

extension ScreenOptions {
  /// The first contents of the list.
  var content: ListContent { ListContent(filter: filter, view: view, order: order, isReversed: isReversed) }

  /// The options of `quakes` without a command: opens the screen on a terminal, unless an option applies only to lists.
  ///
  /// - Returns: nil for a list.
  init?(_ list: List, arguments: [String] = CommandLine.arguments) throws(Failure) {
    guard arguments.dropFirst().first != List._commandName, ScreenTerminal.isUsable(), list.listing.limit == nil,
      list.listing.asOf == nil, !list.listing.hasFields, !list.listing.exitStatus
    else { return nil }
    store = list.locationOptions
    let settings = try list.locationOptions.settings()
    var saved: SavedView?
    if let name = list.view { saved = try settings.view(named: name) }
    filter = try ScreenFilter(
      saved, list.filterOptions, near: list.nearOptions.near, within: list.withinOptions.within)
    view = saved?.name
    (order, isReversed) = list.order(of: saved, settings)
    place = list.place(settings)
    keys = try KeyTable(settings)
    hasColor = list.output.terminal(settings).hasColor
    style = list.output.style(settings)
    columns = list.output.columns(list.listing.columns, settings)
  }
}
