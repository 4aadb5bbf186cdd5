import Foundation
import StrataQuakes

extension FetchRun {
  /// Fetches on schedule until a signal comes.
  ///
  /// The service is ready once the store is open and the schedule exists, before the first round: dependent units need the
  /// store, and waiting for an unavailable network would delay them without a benefit.
  ///
  /// - Parameters:
  ///   - lock: keeps other workers out.
  ///   - former: from the version that this one has replaced in this process.
  /// - Throws: `Failure` if the store cannot be opened at the start, or cannot be created again after it was deleted; other
  ///   failures are reported and retried.
  public func forever(
    _ feeds: [(request: FeedRequest, interval: Duration)], lock: WorkerLock, notifier: ServiceNotifier,
    former: FormerSelf? = nil
  ) throws -> ExitStatus {
    defer { closeStore() }
    let migration = MigrationNotice()
    self.migration = migration
    _ = try openStore()
    let folder = watchFolder()
    let descriptors = [signals.descriptor, migration.descriptor] + [folder?.descriptor].compactMap { $0 }
    var schedule = FetchSchedule(feeds, now: .now)
    if let former { schedule.take(former.feeds, at: .now) }
    var nextSign = notifier.watchdogInterval.map { _ in ContinuousClock.now }
    notifier.ready()
    if former?.isReloadDue == true { reload(&schedule, notifier) }
    dispatchAlerts()
    while true {
      obey(signals.takeRequests(), &schedule, notifier)
      try restoreStore(lock, folder, &schedule)
      if migration.isPosted { continueAsNewVersion(lock, schedule) }
      guard signals.stop == nil else { break }
      begin(&schedule)
      for index in schedule.settle(at: .now) { noteSuccess(of: schedule.entries[index].request) }
      notifier.status(status(of: schedule))
      if let due = nextSign, due <= .now, let interval = notifier.watchdogInterval {
        notifier.watchdog()
        nextSign = .now + interval
      }
      let time = [schedule.next, nextSign].compactMap { $0 }.min()
      for arrival in loader.arrivals(until: time, or: descriptors) where signals.stop == nil {
        try restoreStore(lock, folder, &schedule)
        finish(arrival, in: &schedule, lock)
      }
    }
    notifier.stopping()
    return stoppedStatus
  }

  private func begin(_ schedule: inout FetchSchedule) {
    for index in schedule.due(at: .now) {
      schedule.begin(index, at: .now)
      let entry = schedule.entries[index]
      loader.begin(entry.request, unlessUnchanged: entry.validators, number: index)
    }
  }

  private func obey(_ requests: WorkerSignals.Requests, _ schedule: inout FetchSchedule, _ notifier: ServiceNotifier) {
    if requests.reload { reload(&schedule, notifier) }
    if requests.fetchNow { schedule.makeAllDue(at: .now) }
  }

  private func reload(_ schedule: inout FetchSchedule, _ notifier: ServiceNotifier) {
    notifier.reloading()
    log.reopen()
    schedule.forgetValidators()
    log.result("reloaded")
    notifier.ready()
  }

  private func finish(_ arrival: FeedLoader.Arrival, in schedule: inout FetchSchedule, _ lock: WorkerLock) {
    // The rest of a stream that was ended.
    guard schedule.entries[arrival.number].isRunning else { return }
    let request = schedule.entries[arrival.number].request
    do {
      switch arrival.event {
      case .opened:
        log.result("\(request.name): connected")
        schedule.open(arrival.number, at: .now)
      case .message(let body):
        try take(body.get(), from: request)
        schedule.receive(arrival.number)
      case .ended(let result):
        let response = try result.get()
        try take(response, from: request)
        if response.body == nil, schedule.entries[arrival.number].failures > 0 { noteSuccess(of: request) }
        if let validators = response.validators, !schedule.entries[arrival.number].isRepeated {
          schedule.entries[arrival.number].validators = validators
        }
        schedule.succeed(arrival.number, at: .now, freshness: response.freshness)
      }
    } catch {
      // Still under way, the feed is the first that the newer version fetches.
      if (error as? Failure)?.isOfOtherVersion == true { continueAsNewVersion(lock, schedule) }
      let failure = report(request, error: error)
      if arrival.result == nil {
        finish(message: failure, of: arrival.number, in: &schedule)
      } else {
        fail(arrival.number, failure, in: &schedule)
      }
    }
  }

  private func fail(_ number: Int, _ failure: FetchFailure, in schedule: inout FetchSchedule) {
    let entry = schedule.entries[number]
    // A connection that ends is made again. Only if that fails do readers of the store need to know.
    if !entry.isConnected || entry.failures > 0 { note(failure.failure, of: entry.request) }
    schedule.fail(number, at: .now, retryAfter: failure.retryAfter)
  }

  /// A message of a stream could not be stored.
  private func finish(message failure: FetchFailure, of number: Int, in schedule: inout FetchSchedule) {
    schedule.requestListing(of: number, at: .now)
    guard failure.failure.status == .badResponse, schedule.receiveUseless(number) else { return }
    loader.end(number)
    let name = schedule.entries[number].request.name
    let useless = Failure(.badResponse, "\(name) sends messages without earthquakes; will connect again")
    log.problem(useless.message)
    note(useless, of: schedule.entries[number].request)
    schedule.fail(number, at: .now, retryAfter: nil)
  }

  /// For people who ask the service manager.
  private func status(of schedule: FetchSchedule) -> String {
    let wait = schedule.next.map { ContinuousClock.now.duration(to: $0) / .seconds(1) }
    let next = wait.map { "next at \(CalendarDate(Date() + max(0, $0)).clockText)Z" } ?? "fetching"
    let count = schedule.entries.count
    return [count == 1 ? "1 feed" : "\(count) feeds", lastResult, next].compactMap { $0 }.joined(separator: "; ")
  }
}
