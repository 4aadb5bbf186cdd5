import Foundation
import StrataQuakes

/// Fetches feeds into a store, once or on a schedule.
final class FetchRun {
  private let location: StoreLocation
  private let loader: FeedLoader
  private let stop: StopSignal
  private var container: QuakesContainer?
  private var nextPurge = Date.distantPast

  init(location: StoreLocation, loader: FeedLoader, stop: StopSignal) {
    (self.location, self.loader, self.stop) = (location, loader, stop)
  }

  /// Fetches each feed once.
  ///
  /// - Returns: the status of the first feed that failed, or `ok`. A failure does not stop the other feeds.
  func once(_ requests: [FeedRequest]) -> ExitStatus {
    defer { closeStore() }
    var status = ExitStatus.ok
    for request in requests where stop.signal == nil {
      var validators = WebClient.Validators()
      do {
        try fetch(request, validators: &validators)
      } catch {
        let failure = tell(request, error: error)
        if status == .ok { status = failure.failure.status }
      }
    }
    return stop.signal == nil ? status : stoppedStatus
  }

  /// Fetches on schedule until a signal comes.
  ///
  /// - Throws: `Failure` if the store cannot be opened at the start; later failures are reported and retried.
  func forever(_ feeds: [(request: FeedRequest, interval: TimeInterval)]) throws -> ExitStatus {
    defer { closeStore() }
    _ = try openStore()
    var schedule = FetchSchedule(feeds, now: Date())
    while stop.signal == nil {
      for index in schedule.due(at: Date()) where stop.signal == nil {
        do {
          try fetch(schedule.entries[index].request, validators: &schedule.entries[index].validators)
          schedule.succeeded(index, at: Date())
        } catch {
          let failure = tell(schedule.entries[index].request, error: error)
          schedule.failed(index, at: Date(), retryAfter: failure.retryAfter)
        }
      }
      stop.sleep(schedule.wait(from: Date()))
    }
    return stoppedStatus
  }

  private var stoppedStatus: ExitStatus { stop.signal == SIGINT ? .interrupted : .ok }

  /// Loads, imports and reports one feed.
  private func fetch(_ request: FeedRequest, validators: inout WebClient.Validators) throws {
    var newValidators = validators
    guard let body = try loader.load(request, validators: &newValidators) else {
      StandardStream.output.line("\(request.name): not changed")
      return
    }
    var told = 0
    let work = QuakeImport(openStore: openStore, location: location)
    let report = try work.run(consume body, from: request, now: Date()) { problem in
      told += 1
      if told <= Self.mostProblemsTold { StandardStream.error.line("quakes-fetch: \(request.name): \(problem)") }
    }
    if told > Self.mostProblemsTold {
      StandardStream.error.line("quakes-fetch: \(request.name): and \(told - Self.mostProblemsTold) more")
    }
    StandardStream.output.line("\(request.name): \(report)")
    guard report.isUsable else {
      throw Failure(.badAnswer, "it contains nothing usable; the store is unchanged")
    }
    validators = newValidators
    purgeOldHistory()
  }

  /// Purges history older than a week, at most once an hour: followers read it within moments.
  private func purgeOldHistory() {
    guard let container, nextPurge <= Date() else { return }
    nextPurge = Date() + 3600
    do {
      try container.purgeHistory(before: Date() - 7 * 24 * 3600)
    } catch {
      StandardStream.error.line("quakes-fetch: cannot purge the history: \(error.localizedDescription)")
    }
  }

  /// Limits the log of a body full of problems.
  private static let mostProblemsTold = 20

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

  private func tell(_ request: FeedRequest, error: any Error) -> FetchFailure {
    let failure =
      error as? FetchFailure
      ?? FetchFailure(error as? Failure ?? Failure(.badAnswer, "\(error)", cause: error))
    if stop.signal == nil {
      let message = failure.failure.message
      let line = message.contains(request.name) ? message : "\(request.name): \(message)"
      StandardStream.error.line("quakes-fetch: \(line)")
    }
    return failure
  }
}
