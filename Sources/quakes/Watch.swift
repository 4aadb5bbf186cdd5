import ArgumentParser
import Dispatch
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes watch`: keeps the list up to date while other processes commit.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the list and keep it up to date.",
    discussion: """
      Commits are observed, not polled. Press Ctrl-C to quit; other keys have no effect. For keys, use the live screen: \
      quakes without a command.
      """)

  @OptionGroup var locationOptions: LocationOptions
  @OptionGroup var filterOptions: FilterOptions
  @OptionGroup var nearOptions: NearOptions
  @OptionGroup var withinOptions: WithinOptions
  @OptionGroup var limitOptions: LimitOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ColumnOption.help, completion: .columns, transform: ColumnOption.columns)
  var columns: [QuakeColumn]?

  mutating func validate() throws {
    if filterOptions.hasMarkLimits {
      throw ValidationError(
        "--starred, --unacknowledged and --noted do not apply to watch, which reads only the Catalog.")
    }
    if let column = columns?.first(where: { Self.columnsOfOtherStores.contains($0.name) }) {
      throw ValidationError("The column \(column.name) does not apply to watch, which reads only the Catalog.")
    }
  }

  private static let columnsOfOtherStores: Set = ["marks", "starred", "acknowledged", "note", "nearest_city"]

  mutating func run() throws {
    _ = ProgramReplacement.current
    try FileDescriptorLimit.check()
    let settings = try locationOptions.settings()
    let circle = try circle()
    let (container, location) = try locationOptions.open()
    let options = WatchScreen.Options(
      filter: filterOptions, circle: circle, region: try filterOptions.region.map(KnownRegions.area),
      limit: limitOptions.limit ?? 25, output: output, settings: settings,
      columns: output.columns(columns, settings).without(Self.columnsOfOtherStores), location: location,
      isInPlace: StandardStream.output.isTerminal)
    DispatchQueue.main.async {
      MainActor.assumeIsolated { WatchScreen(container, options: options).begin() }
    }
    dispatchMain()
  }

  /// A store of its own finds it: the one that is watched needs no cities.
  private func circle() throws -> GeoCircle? {
    guard nearOptions.near != nil else { return nil }
    return try OpenStore(locationOptions, needsCities: !OpenStore.isPosition(nearOptions.near))
      .circle(nearOptions, withinOptions)
  }
}
