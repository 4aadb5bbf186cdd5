import Foundation
import StrataQuakes
import StrataQuakesConfig
import StrataQuakesScreen

/// The initial state of the screen.
struct ScreenOptions: Sendable {
  var store: LocationOptions
  var filter: ScreenFilter
  var order: QuakeQuery.Order
  var isReversed: Bool
  /// The list's words.
  var place: PlaceStyle
  var hasColor: Bool
  var style: DisplayStyle
}

extension ScreenOptions {
  /// The options of `quakes` without a command: opens the screen on a terminal, unless an option applies only to lists.
  ///
  /// - Returns: nil for a list.
  init?(_ list: List, arguments: [String] = CommandLine.arguments) throws(Failure) {
    guard arguments.dropFirst().first != List._commandName, ScreenTerminal.isUsable(), list.listing.limit == nil,
      list.listing.asOf == nil, !list.listing.hasFields, !list.listing.exitStatus
    else { return nil }
    do {
      filter = try ScreenFilter(
        list.filterOptions, near: list.nearOptions.near, within: list.withinOptions.within)
    } catch {
      throw Failure(.usage, error.text)
    }
    store = list.locationOptions
    let settings = try list.locationOptions.settings()
    (order, isReversed) = (list.orderOptions.sort ?? settings[Settings.sort] ?? .time, list.orderOptions.reverse)
    place = list.place(settings)
    hasColor = list.output.terminal(settings).hasColor
    style = list.output.style(settings)
  }
}
