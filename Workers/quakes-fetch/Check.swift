import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion
import StrataQuakesFeeds

/// `quakes-fetch check ID…`: asks the service itself about events.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Query an FDSN event service for earthquakes by ID.",
    discussion: """
      Stores the response: a new state, details such as the peaks of shaking, another ID, or a deletion. An ID that the \
      service does not know, or no longer knows, changes nothing.

      Exit status: 3 if the service does not know one of the IDs.
      """)

  @Option(
    name: [.customLong("service"), .customLong("base-url")],
    help: ArgumentHelp("The service's URL up to its version.", valueName: "url"))
  var service = EventService.defaultURL

  @OptionGroup var joinOptions: JoinOptions

  @Option(help: ArgumentHelp("The store's folder (default: $QUAKES_STORE).", valueName: "folder"))
  var store: String?

  @Argument(help: "The earthquakes' IDs.", completion: .earthquakes)
  var ids: [String]

  mutating func validate() throws {
    guard service.hasPrefix("http://") || service.hasPrefix("https://") else {
      throw ValidationError("--service must be an http or https URL.")
    }
  }

  mutating func run() throws {
    let location = try StoreLocation(option: store)
    try location.refuseMistyped()
    let signals = WorkerSignals()
    let fetcher = FetchRun(
      location: location, loader: try FeedLoader(), signals: signals, log: WorkerLog(isTimed: false),
      limits: joinOptions.limits)
    defer { fetcher.closeStore() }
    var isKnown = true
    for id in ids where signals.stop == nil {
      isKnown = try fetcher.check(id, with: EventService(base: service)) && isKnown
    }
    if !isKnown { Foundation.exit(ExitStatus.notFound.rawValue) }
  }
}
