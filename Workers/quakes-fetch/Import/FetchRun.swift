import Foundation
import StrataQuakes

/// Fetches feeds into a store, once or on a schedule.
///
/// Feeds are loaded at the same time and imported one after the other, as they arrive.
final class FetchRun {
  private let location: StoreLocation
  private let loader: FeedLoader
  private let signals: WorkerSignals
  private var container: QuakesContainer?
  private var nextPurge = ContinuousClock.now

  init(location: StoreLocation, loader: FeedLoader, signals: WorkerSignals) {
    (self.location, self.loader, self.signals) = (location, loader, signals)
  }

  /// Fetches each feed once.
  ///
  /// - Returns: the status of the first feed that failed, or `ok`. A failure does not stop the other feeds.
  func once(_ requests: [FeedRequest]) -> ExitStatus {
    defer { closeStore() }
    var statuses = requests.map { _ in ExitStatus.ok }
    for (number, request) in requests.enumerated() { loader.begin(request, number: number) }
    while !loader.isIdle, signals.stop == nil {
      for arrival in loader.arrivals(until: nil, or: signals.descriptor) where signals.stop == nil {
        let request = requests[arrival.number]
        do {
          try take(arrival.result.get(), from: request)
        } catch {
          let failure = tell(request, error: error).failure
          statuses[arrival.number] = failure.status
          note(failure, of: request)
        }
      }
    }
    return signals.stop == nil ? statuses.first { $0 != .ok } ?? .ok : stoppedStatus
  }

  /// Fetches on schedule until a signal comes.
  ///
  /// - Throws: `Failure` if the store cannot be opened at the start; later failures are reported and retried.
  func forever(_ feeds: [(request: FeedRequest, interval: Duration)]) throws -> ExitStatus {
    defer { closeStore() }
    _ = try openStore()
    var schedule = FetchSchedule(feeds, now: .now)
    while signals.stop == nil {
      for index in schedule.due(at: .now) {
        schedule.entries[index].isRunning = true
        loader.begin(
          schedule.entries[index].request, unlessUnchanged: schedule.entries[index].validators, number: index)
      }
      for arrival in loader.arrivals(until: schedule.next, or: signals.descriptor) where signals.stop == nil {
        finish(arrival, in: &schedule)
      }
    }
    return stoppedStatus
  }

  private var stoppedStatus: ExitStatus { signals.stop == SIGINT ? .interrupted : .ok }

  private func finish(_ arrival: FeedLoader.Arrival, in schedule: inout FetchSchedule) {
    let request = schedule.entries[arrival.number].request
    do {
      let answer = try arrival.result.get()
      try take(answer, from: request)
      if answer.body == nil, schedule.entries[arrival.number].failures > 0 { noteSuccess(of: request) }
      if let validators = answer.validators { schedule.entries[arrival.number].validators = validators }
      schedule.succeeded(arrival.number, at: .now, freshness: answer.freshness)
    } catch {
      let failure = tell(request, error: error)
      note(failure.failure, of: request)
      schedule.failed(arrival.number, at: .now, retryAfter: failure.retryAfter)
    }
  }

  /// Imports and reports one feed.
  private func take(_ answer: FeedAnswer, from request: FeedRequest) throws {
    guard let body = answer.body else {
      StandardStream.output.line("\(request.name): not changed")
      return
    }
    let work = RepeatedImport(openStore: openStore, location: location, signals: signals)
    let (report, problems) = try work.run(body, from: request)
    for problem in problems { StandardStream.error.line("quakes-fetch: \(request.name): \(problem)") }
    StandardStream.output.line("\(request.name): \(report)")
    guard report.isUsable else {
      throw Failure(.badAnswer, "it contains nothing usable; the store is unchanged")
    }
    purgeOldHistory()
  }

  private func tell(_ request: FeedRequest, error: any Error) -> FetchFailure {
    let failure =
      error as? FetchFailure
      ?? FetchFailure(error as? Failure ?? Failure(.badAnswer, "\(error)", cause: error))
    let message = failure.failure.message
    let wait = failure.retryAfter.map { "; the service asks to wait \($0.components.seconds) s" } ?? ""
    let line = message.contains(request.name) ? message : "\(request.name): \(message)"
    StandardStream.error.line("quakes-fetch: \(line)\(wait)")
    return failure
  }
}

// MARK: - The store

extension FetchRun {
  private func openStore() throws(Failure) -> QuakesContainer {
    if let container { return container }
    let opened = try QuakesContainer.open(location, for: .writing)
    container = opened
    return opened
  }

  /// Closes the store, which checkpoints the WAL, so that the next program to open it need not recover it.
  private func closeStore() {
    guard let coordinator = container?.persistentStoreCoordinator else { return }
    container = nil
    // A failure is harmless: the process ends anyway, and nothing is lost.
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
  }

  /// Tells the store's readers that a feed failed. There are none if there is no store.
  private func note(_ failure: Failure, of request: FeedRequest) {
    guard failure.status != .storeUnavailable, container != nil || location.hasStore else { return }
    changeState { try $0.failed(request, message: failure.message, now: Date()) }
  }

  private func noteSuccess(of request: FeedRequest) {
    changeState { try $0.succeeded(request) }
  }

  private func changeState(_ body: (FeedState) throws -> Void) {
    do {
      try body(FeedState(container: try openStore(), location: location))
    } catch {
      StandardStream.error.line("quakes-fetch: \(error)")
    }
  }

  /// Purges history older than a week, at most once an hour: followers read it within moments.
  private func purgeOldHistory() {
    guard let container, nextPurge <= .now else { return }
    nextPurge = .now + .seconds(3600)
    do {
      try container.purgeHistory(before: Date() - 7 * 24 * 3600)
    } catch {
      StandardStream.error.line("quakes-fetch: cannot purge the history: \(error.localizedDescription)")
    }
  }
}
