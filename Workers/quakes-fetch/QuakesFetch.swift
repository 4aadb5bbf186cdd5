import ArgumentParser
import Foundation
import StrataQuakes

/// The fetch worker: imports feeds, one transaction each.
@main
struct QuakesFetch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quakes-fetch",
    abstract: "Fetch earthquakes into the store that the Quakes programs share.",
    discussion: """
      FEED is a summary feed of the USGS (all_week, 4.5_day, …), a URL, a path, - for standard input, or "sample" for \
      invented earthquakes that need no network. Without one, all_hour, all_day and all_week are fetched, the larger \
      ones less often.

      SIGUSR1 makes a running worker fetch now. With --daemon, SIGHUP makes it open its log again and forget what it \
      knows of the feeds.

      Exit status: 0 on success, 2 for wrong usage, 4 if the store cannot be used, 5 for a network failure, 6 for an \
      unusable response, 7 if the service limits the rate of requests, 75 if another worker is running.
      """,
    version: QuakesVersion.report)

  @Flag(help: "Fetch each feed once, then exit.")
  var once = false

  @Flag(help: "Run as a service: tell systemd how it does, write the time before each line, reload on SIGHUP.")
  var daemon = false

  @Option(help: ArgumentHelp("Seconds between two requests for the same feed.", valueName: "seconds"))
  var interval = 60.0

  @Option(help: ArgumentHelp("Base URL of named feeds (default: $QUAKES_BASE_URL, else the USGS).", valueName: "url"))
  var baseURL: String?

  @Option(help: ArgumentHelp("The store's folder (default: $QUAKES_STORE).", valueName: "folder"))
  var store: String?

  @Argument(help: "What to fetch.")
  var feed: [String] = []

  static func main() {
    // If the reader of a pipe is gone, write(2) fails instead.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as Failure {
      StandardStream.error.line("quakes-fetch: \(failure.message)")
      Foundation.exit(failure.status.rawValue)
    } catch {
      end(with: error)
    }
  }

  mutating func validate() throws {
    guard interval >= 1, interval <= 86_400 else {
      throw ValidationError("--interval must be between 1 and 86400 seconds.")
    }
    if once, daemon { throw ValidationError("--once and --daemon exclude each other.") }
    if !once, feed.contains("-") { throw ValidationError("Standard input can be read only with --once.") }
    if once, feed.isEmpty { throw ValidationError("--once needs a FEED, such as all_day or sample.") }
  }

  mutating func run() throws {
    let signals = WorkerSignals(others: once ? [] : daemon ? [SIGUSR1, SIGHUP] : [SIGUSR1])
    let log = WorkerLog(isTimed: daemon || !once && !StandardStream.error.isTerminal)
    let location = try StoreLocation(option: store)
    let feeds = try requestedFeeds()
    let run = FetchRun(location: location, loader: try FeedLoader(), signals: signals, log: log)
    if once { Foundation.exit(run.once(feeds.map(\.request)).rawValue) }
    let lock = try WorkerFile(for: location).lock()
    let status = try run.forever(feeds, notifier: ServiceNotifier())
    _ = consume lock
    Foundation.exit(status.rawValue)
  }

  private func requestedFeeds() throws(Failure) -> [(request: FeedRequest, interval: Duration)] {
    let environment = Environment.variable("QUAKES_BASE_URL").flatMap { $0.isEmpty ? nil : $0 }
    let base = baseURL ?? environment ?? FeedRequest.usualBaseURL
    if feed.isEmpty {
      // all_hour has new events, all_day revisions, all_week late arrivals and deletions.
      return try [("all_hour", 1.0), ("all_day", 5), ("all_week", 60)].map { name, factor throws(Failure) in
        (try FeedRequest(name, baseURL: base), .seconds(interval * factor))
      }
    }
    return try feed.map { name throws(Failure) in
      (try FeedRequest(name, baseURL: base), .seconds(interval))
    }
  }

  /// Prints help to standard output with status 0, usage errors to standard error with status 2.
  private static func end(with error: any Error) -> Never {
    let status = exitCode(for: error)
    let stream = status == .success ? StandardStream.output : StandardStream.error
    let message = fullMessage(for: error)
    if !message.isEmpty { stream.line(message) }
    Foundation.exit(status == .validationFailure ? ExitStatus.usage.rawValue : status.rawValue)
  }
}
