import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig
import StrataQuakesFeeds

/// `quakes-fetch poll`, which is what `quakes-fetch` does without a command: fetches feeds, once or on a schedule.
struct Poll: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fetch feeds, once or on a schedule.",
    discussion: """
      FEED is a summary feed of the USGS (all_week, 4.5_day, …), a feed of the list below, a URL, a path, - for \
      standard input, or "sample" for invented earthquakes that need no network. The default is all_hour, all_day and \
      all_week; larger feeds are fetched less often.

      \(ServiceFeed.list)

      If the store is deleted, moved or replaced, a running worker opens or creates it again and fetches. If a newer \
      version of the programs migrates the store, the worker continues as its own newer version, in the same process.

      On SIGUSR1, a running worker fetches immediately. With --daemon, on SIGHUP it reopens its log and discards cached \
      feed state.
      """)

  @Flag(help: "Fetch each feed once, then exit.")
  var once = false

  @Flag(help: "Run as a service: notify systemd, begin each line with the time, reload on SIGHUP.")
  var daemon = false

  @Option(help: ArgumentHelp("The seconds between two requests for the same feed (default: 60).", valueName: "seconds"))
  var interval: Double?

  @Option(help: ArgumentHelp("The base URL of feeds (default: $QUAKES_BASE_URL, else the USGS).", valueName: "url"))
  var baseURL: String?

  @Option(help: ArgumentHelp("The format of the feeds, instead of recognizing it.", valueName: "format"))
  var format: EventFormat?

  @OptionGroup var joinOptions: JoinOptions

  @Option(help: ArgumentHelp("The store's folder (default: $QUAKES_STORE).", valueName: "folder"))
  var store: String?

  @Option(
    help: ArgumentHelp("The settings (default: $QUAKES_CONFIG, else ~/.config/quakes/config.toml).", valueName: "file"))
  var config: String?

  @Flag(help: "Check the settings, then exit, with status 78 if they are invalid.")
  var checkConfig = false

  @Argument(help: "The feeds to fetch.")
  var feed: [String] = []

  mutating func validate() throws {
    if let interval, !(1...86_400 ~= interval) {
      throw ValidationError("--interval must be between 1 and 86400 seconds.")
    }
    if once, daemon { throw ValidationError("--once and --daemon exclude each other.") }
    if !once, feed.contains("-") { throw ValidationError("Standard input can be read only with --once.") }
    if once, feed.isEmpty, !checkConfig { throw ValidationError("--once needs a FEED, such as all_day or sample.") }
  }

  mutating func run() throws {
    let former = once ? nil : ProgramReplacement.current.state(FetchRun.FormerSelf.self)
    let settings = try SettingsFile(option: config).settings { StandardStream.error.line("quakes-fetch: \($0)") }
    let feeds = try requestedFeeds(settings)
    if checkConfig { return }
    // The processes that tell alerts read the same.
    if let config { setenv("QUAKES_CONFIG", config, 1) }
    let signals = WorkerSignals(others: once ? [] : daemon ? [SIGUSR1, SIGHUP] : [SIGUSR1])
    let log = WorkerLog(isTimed: daemon || !once && !StandardStream.error.isTerminal, former: former)
    let location = try StoreLocation(option: store)
    let run = FetchRun(
      location: location, loader: try FeedLoader(interruption: signals.stopDescriptor), signals: signals, log: log,
      limits: joinOptions.limits)
    if once {
      var status = run.once(try feeds.map { try $0.request.once() })
      if let reason = log.lossOfResults {
        log.problem("cannot write to standard output: \(reason)")
        if status == .ok { status = .outputFailed }
      }
      Foundation.exit(status.rawValue)
    }
    let lock = try WorkerFile(for: location).lock(inherited: former?.lock)
    let status = try run.forever(feeds, lock: lock, notifier: ServiceNotifier(), former: former)
    lock.end()
    Foundation.exit(status.rawValue)
  }

  private func requestedFeeds(_ settings: Settings) throws(Failure) -> [(request: FeedRequest, interval: Duration)] {
    let environment = Environment.variable("QUAKES_BASE_URL").flatMap { $0.isEmpty ? nil : $0 }
    let base = baseURL ?? environment ?? FeedRequest.defaultBaseURL
    let format = format
    func request(_ name: String) throws(Failure) -> FeedRequest {
      var request = try FeedRequest(name, baseURL: base)
      request.format = format ?? request.format
      return request
    }
    let interval = interval ?? settings[Settings.interval] ?? 60
    var names: Set<String> = []
    let chosen = (feed.isEmpty ? settings[Settings.feeds] ?? [] : feed).filter { names.insert($0).inserted }
    if chosen.isEmpty {
      // all_hour has new events, all_day revisions, all_week late arrivals and deletions.
      return try [("all_hour", 1.0), ("all_day", 5), ("all_week", 60)].map { name, factor throws(Failure) in
        (try request(name), .seconds(interval * factor))
      }
    }
    do throws(Failure) {
      return try chosen.map { name throws(Failure) in
        (try request(name), .seconds(interval))
      }
    } catch {
      if !feed.isEmpty { throw error }
      throw Failure(.configuration, "\(settings.file.url.path): fetch.feeds: \(error.message)")
    }
  }
}

extension EventFormat: @retroactive ExpressibleByArgument {}
