import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion
import StrataQuakesConfig

/// `quakes aftershocks ID`: prints what came after an earthquake, near to it.
struct Aftershocks: ListingCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the aftershocks of an earthquake, newest first.",
    discussion: """
      Uses the window in time and distance of Gardner and Knopoff (1974) for its magnitude: 144 days and 40 km at \
      magnitude 5, 918 days and 71 km at magnitude 7. --days and --within set other limits.
      """)

  @Argument(help: "The earthquake's ID, or any unambiguous part of it.", completion: .earthquakes)
  var id: String

  @Option(help: ArgumentHelp("The number of days after it.", valueName: "number"))
  var days: Double?

  @OptionGroup var withinOptions: WithinOptions

  @Option(
    name: [.customLong("min-magnitude"), .customLong("min-mag")], parsing: .unconditional,
    help: ArgumentHelp("Only this magnitude and above.", valueName: "magnitude"))
  var minimumMagnitude: Double?

  @OptionGroup var orderOptions: OrderOptions
  @OptionGroup var listing: ListingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    // A million days exceed any catalog.
    if let days, !(0...1e6 ~= days) { throw ValidationError("--days must be from 0 to 1000000.") }
  }

  var center: String? { nil }

  func query(of store: OpenStore, at moment: Moment, _ settings: Settings) throws -> (QuakeQuery, title: OutputText?) {
    let main = try store.read { context in try Quake.find(typed: id, in: context)?.facts }
    guard let main else { throw Failure.noQuake(id) }
    let window = try window(of: main)
    var filter = QuakeFilter(
      minimumMagnitude: minimumMagnitude, since: main.time.addingTimeInterval(0.001),
      until: main.time.addingTimeInterval(window.days * 86_400))
    filter.circle = GeoCircle(latitude: main.latitude, longitude: main.longitude, radius: window.radius)
    let style = output.style(settings)
    let title: OutputText = """
      M \(main.magnitudeText) \(main.placeText), \(style.time(main.time)): within \
      \(DecimalText.oneDigit(window.days)) days and \(style.distance(window.radius, hasTenths: true))
      """
    let query = QuakeQuery(
      filter, order: orderOptions.sort ?? .time, isReversed: orderOptions.reverse,
      limit: listing.limit ?? 25)
    return (query, title)
  }

  private func window(of main: QuakeFacts) throws -> AftershockWindow {
    if let days, let radius = withinOptions.within { return AftershockWindow(radius: radius, days: days) }
    guard let magnitude = main.magnitude else {
      throw Failure(.notFound, "the magnitude of \"\(id)\" is not known, so give --days and --within")
    }
    let standard = AftershockWindow(magnitude: magnitude)
    return AftershockWindow(radius: withinOptions.within ?? standard.radius, days: days ?? standard.days)
  }
}
