import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesFeeds

/// `quakes-fetch backfill`: stores the events of a long time, which the feeds no longer have.
struct Backfill: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fetch the events of a period from an FDSN event service.",
    discussion: """
      Requests parts of fewer than 20,000 events, one after the other. After an interruption, the same call continues.

      Times are in UTC unless they have a zone, such as \(Moment.examples).
      """)

  @Option(help: ArgumentHelp("The earliest origin time.", valueName: "time"))
  var since: String

  @Option(help: ArgumentHelp("The latest origin time.", valueName: "time"))
  var until: String

  @Option(
    name: [.customLong("min-magnitude"), .customLong("min-mag")],
    help: ArgumentHelp("Only this magnitude and above.", valueName: "magnitude"))
  var minimumMagnitude: Double?

  @Option(
    name: [.customLong("service"), .customLong("base-url")],
    help: ArgumentHelp("The service's URL up to its version; GeoJSON support is not required.", valueName: "url"))
  var service = EventService.defaultURL

  @OptionGroup var joinOptions: JoinOptions

  @Option(help: ArgumentHelp("The store's folder (default: $QUAKES_STORE).", valueName: "folder"))
  var store: String?

  mutating func validate() throws {
    let moment = Moment(in: .universal)
    guard let since = moment.date(since), let until = moment.date(until) else {
      throw ValidationError("--since and --until must be times such as \(Moment.examples).")
    }
    guard since < until else { throw ValidationError("--since must be before --until.") }
    guard service.hasPrefix("http://") || service.hasPrefix("https://") else {
      throw ValidationError("--service must be an http or https URL.")
    }
    guard minimumMagnitude?.isFinite != false else { throw ValidationError("--min-magnitude must be a number.") }
  }

  mutating func run() throws {
    let signals = WorkerSignals()
    let log = WorkerLog(isTimed: false)
    let location = try StoreLocation(option: store)
    // A query of many events takes the service longer than a feed.
    let loader = try FeedLoader(limits: WebLimits(totalTimeout: 600_000))
    let fetcher = FetchRun(location: location, loader: loader, signals: signals, log: log, limits: joinOptions.limits)
    let moment = Moment(in: .universal)
    // Checked by validate.
    guard let start = moment.date(since), let end = moment.date(until) else { return }
    let run = BackfillRun(
      fetcher, service: EventService(base: service, minimumMagnitude: minimumMagnitude), since: start, until: end,
      wish: [service, since, until, minimumMagnitude.map { "\($0)" } ?? ""])
    try run.run()
    log.result("\(run.received) events received")
  }
}
