import Dispatch
import Foundation
import StrataQuakes

/// Fetches feeds into a store, once or on a schedule.
///
/// Feeds are loaded at the same time and imported one after the other, as they arrive.
public final class FetchRun {
  let location: StoreLocation
  let loader: FeedLoader
  let signals: WorkerSignals
  let log: WorkerLog
  let limits: JoinLimits
  private let alerts: AlertWatch
  /// The last feed's result.
  private(set) var lastResult: String?
  private var container: QuakesContainer?
  /// Only in a worker, whose newer version may migrate the store while it is open.
  var migration: MigrationNotice?
  private var migrationMonitor: MigrationMonitor?
  /// The store that is open.
  private var identity: CatalogIdentity?
  /// Read when the store is opened; nil without a Reference store.
  private var cities: CityGrid?
  private var nextPurge = ContinuousClock.now
  /// The last reason why the newer version was not executed, which is reported only once.
  var reportedReplacement: String?

  /// A run for the store at a location, which the first feed opens.
  ///
  /// - Parameter limits: the limits for joining the reports of several agencies.
  public init(
    location: StoreLocation, loader: FeedLoader, signals: WorkerSignals, log: WorkerLog,
    limits: JoinLimits = JoinLimits()
  ) {
    (self.location, self.loader, self.signals, self.log) = (location, loader, signals, log)
    self.limits = limits
    alerts = AlertWatch(location: location, signals: signals, log: log)
  }

  /// Fetches each feed once.
  ///
  /// - Returns: the status of the first feed that failed, or `ok`. A failure does not stop the other feeds.
  public func once(_ requests: [FeedRequest]) -> ExitStatus {
    defer { closeStore() }
    var statuses = requests.map { _ in ExitStatus.ok }
    var (begun, ended) = (0, 0)
    while ended < requests.count, signals.stop == nil {
      // Each body is an open file until it is imported.
      while begun < requests.count, begun - ended < WebClient.maximumTransfers {
        loader.begin(requests[begun], number: begun)
        begun += 1
      }
      for arrival in loader.arrivals(until: nil, or: [signals.descriptor]) where signals.stop == nil {
        guard let result = arrival.result else { continue }
        statuses[arrival.number] = finishOnce(result, from: requests[arrival.number])
        ended += 1
      }
    }
    alerts.waitForAll()
    return signals.stop == nil ? statuses.first { $0 != .ok } ?? .ok : stoppedStatus
  }

  var stoppedStatus: ExitStatus { signals.stop == SIGINT ? .interrupted : .ok }

  private func finishOnce(_ result: Result<FeedResponse, FetchFailure>, from request: FeedRequest) -> ExitStatus {
    do {
      try take(result.get(), from: request)
      return .ok
    } catch {
      let failure = report(request, error: error).failure
      // An unreadable file is reported to the user who named it; it is not a failing feed for readers of the store.
      if request.url != nil { note(failure, of: request) }
      return failure.status
    }
  }

  /// Imports and reports one feed, if it has changed.
  func take(_ response: FeedResponse, from request: FeedRequest) throws {
    if let body = response.body { return try take(body, from: request) }
    succeed("\(request.name): not changed")
    dispatchAlerts()
  }

  /// Imports and reports one body, and tells the user what the rules ask for. The import is committed then, so a worker that
  /// is killed in between tells it at its next import.
  func take(_ body: BodyFile, from request: FeedRequest) throws {
    defer { dispatchAlerts() }
    let (report, problems) = try repeatedImport.run(body, from: request)
    for problem in problems { log.problem("\(request.name): \(problem)") }
    succeed("\(request.name): \(report)")
    if report.doubted > 0 {
      log.problem(
        "\(request.name): \(CountText.of(report.doubted, "earthquake")) missing, kept until another body of the feed "
          + "lacks the same")
    }
    guard report.isUsable else {
      throw Failure(.badResponse, "it contains nothing usable; the store is unchanged")
    }
    purgeOldHistory()
  }

  /// Waits for the alerts that are being delivered.
  func waitForAlerts(atMost time: DispatchTimeInterval) { alerts.wait(atMost: time) }

  func dispatchAlerts() { alerts.dispatch(from: openStore) }

  var repeatedImport: RepeatedImport {
    RepeatedImport(
      openStore: openStore, location: location, cities: { self.cities }, signals: signals, limits: limits)
  }

  private func succeed(_ line: String) {
    log.result(line)
    lastResult = line
  }

  func report(_ request: FeedRequest, error: any Error) -> FetchFailure {
    let failure =
      error as? FetchFailure
      ?? FetchFailure(error as? Failure ?? Failure(.badResponse, "\(error)", cause: error))
    let message = failure.failure.message
    let wait = failure.retryAfter.map { "; the service requests a pause of \($0.components.seconds) s" } ?? ""
    let line = message.contains(request.name) ? message : "\(request.name): \(message)"
    log.problem(line + wait)
    lastResult = line
    return failure
  }
}

// MARK: - One request

extension FetchRun {
  /// Loads one feed while nothing else is under way.
  ///
  /// - Returns: nil if a signal ended it.
  /// - Throws: `FetchFailure`.
  func load(_ request: FeedRequest) throws -> FeedResponse? {
    loader.begin(request, number: 0)
    while signals.stop == nil {
      let arrival = loader.arrivals(until: nil, or: [signals.descriptor]).first
      if let result = arrival?.result { return try result.get() }
    }
    return nil
  }

  /// Waits; a signal ends the wait.
  func sleep(_ wait: Duration) {
    let end = ContinuousClock.now + wait
    while signals.stop == nil, .now < end { _ = loader.arrivals(until: end, or: [signals.descriptor]) }
  }
}

// MARK: - The store

extension FetchRun {
  /// Opens or creates the store.
  ///
  /// - Throws: `Failure` if it cannot be opened, or if it is not the one that was opened before.
  func openStore() throws(Failure) -> QuakesContainer {
    if isStoreLost { throw Failure.lostStore(location) }
    if let container { return container }
    let opened = try QuakesContainer.open(location, for: .writing, isWatched: migration != nil)
    (container, identity) = (opened, location.identity)
    migrationMonitor = migration.map { notice in MigrationMonitor(opened) { notice.post() } }
    cities = readCities(of: opened)
    return opened
  }

  /// Whether the open store was deleted, moved or replaced.
  var isStoreLost: Bool { container != nil && location.identity != identity }

  /// Closes the store, which checkpoints the WAL, so that the next program to open it need not recover it.
  public func closeStore() {
    guard let coordinator = container?.persistentStoreCoordinator else { return }
    container = nil
    // A failure is harmless: the process ends anyway, and nothing is lost.
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
  }

  /// Records the failure of a feed for the store's readers, if the store exists.
  func note(_ failure: Failure, of request: FeedRequest) {
    // A requested stop is not a failure of the feed.
    guard ![.storeUnavailable, .busy].contains(failure.status), container != nil || location.hasStore else { return }
    changeState { try $0.recordFailure(of: request, message: failure.message, now: Date()) }
  }

  func noteSuccess(of request: FeedRequest) {
    changeState { try $0.recordSuccess(of: request) }
  }

  private func changeState(_ body: (FeedState) throws -> Void) {
    do {
      try body(FeedState(container: try openStore(), location: location))
    } catch {
      log.problem("\(error)")
    }
  }

  /// Purges history older than a week, at most once an hour: followers read it within moments.
  private func purgeOldHistory() {
    guard let container, nextPurge <= .now else { return }
    nextPurge = .now + .seconds(3600)
    do {
      try container.purgeHistory(before: Date() - 7 * 24 * 3600)
    } catch {
      log.problem("cannot purge the history: \(error.localizedDescription)")
    }
  }
}
