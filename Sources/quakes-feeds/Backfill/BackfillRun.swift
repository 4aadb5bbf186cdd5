import Foundation
import StrataQuakes

/// Stores the events of a period from an FDSN event service, part by part, with one request at a time.
public final class BackfillRun {
  /// The maximum number of events in a response of a service; a part has fewer.
  var maximumEvents = 20_000
  /// The first wait after a failure; doubled after each, up to 15 minutes.
  var firstWait = Duration.seconds(5)
  /// Failures in a row of one request before the run ends. Running it again continues.
  var maximumAttempts = 8

  private let fetcher: FetchRun
  private let service: EventService
  private let file: URL
  private var plan: BackfillPlan
  private var progress: BackfillProgress

  /// - Parameter file: the plan's file; its plan continues if there is one.
  init(_ fetcher: FetchRun, service: EventService, plan: BackfillPlan, file: URL, progress: BackfillProgress) {
    (self.fetcher, self.service, self.file, self.progress) = (fetcher, service, file, progress)
    self.plan = BackfillPlan(from: file) ?? plan
  }

  /// A run for a period.
  ///
  /// - Parameter wish: the period and the service as the user typed them: the same call continues.
  public convenience init(
    _ fetcher: FetchRun, service: EventService, since: Date, until: Date, wish: [String]
  ) {
    self.init(
      fetcher, service: service, plan: BackfillPlan(since: since, until: until),
      file: BackfillPlan.file(fetcher.location, wish: wish), progress: BackfillProgress(log: fetcher.log))
  }

  /// Stores the events that are left.
  ///
  /// - Throws: `Failure` or `FetchFailure`; stored events are kept, and the plan's file has the remaining parts.
  public func run() throws {
    defer { fetcher.closeStore() }
    _ = try fetcher.openStore()
    progress.begin(plan)
    defer { progress.end() }
    while let part = plan.pending.first {
      let rest = try step(part)
      plan.pending.replaceSubrange(0..<1, with: rest)
      try plan.save(to: file)
    }
    // Nothing is left to continue.
    unlink(file.path)
  }

  /// The number of events received, also by runs that were interrupted.
  public var received: Int { plan.received }

  /// Does one request for a part.
  ///
  /// - Returns: what is left of it.
  private func step(_ part: BackfillPlan.Part) throws -> [BackfillPlan.Part] {
    guard plan.canCount, part.count == nil else { return try query(part) }
    guard let count = try count(part) else {
      plan.doWithoutCounts()
      return [plan.pending[0]]
    }
    if plan.total == nil { plan.total = count }
    if count >= maximumEvents { return try halves(of: part) }
    var counted = part
    counted.count = count
    return count == 0 ? [] : [counted]
  }

  private func halves(of part: BackfillPlan.Part) throws(Failure) -> [BackfillPlan.Part] {
    guard part.canBeHalved else {
      throw Failure(
        .badResponse,
        "\(service.base) has more than \(maximumEvents) events within \(ISO8601.text(part.start)) and a second")
    }
    return part.halves
  }

  /// - Returns: nil if the service does not count.
  private func count(_ part: BackfillPlan.Part) throws -> Int? {
    let url = service.countURL(part)
    do {
      let body = try load(url)
      let text = try body.beginning(upTo: 32)
      guard let count = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), count >= 0 else {
        throw Failure(.badResponse, "\(url) did not respond with a number")
      }
      return count
    } catch let failure as FetchFailure where [400, 404, 405, 501].contains(failure.status) {
      return nil
    }
  }

  private func query(_ part: BackfillPlan.Part) throws -> [BackfillPlan.Part] {
    let url = service.queryURL(part, format: plan.format, limit: maximumEvents)
    do {
      let body = try load(url)
      let count = try store(body, from: url)
      // A service that does not count may have left some out.
      if !plan.canCount, count >= maximumEvents { return try halves(of: part) }
      plan.received += count
      progress.step(part, plan, count: count)
      return []
    } catch let failure as FetchFailure where failure.status == 413 {
      return try halves(of: part)
    } catch let failure as FetchFailure where plan.format == .geojson && [400, 406, 415, 501].contains(failure.status) {
      plan.format = .text
      return [part]
    }
  }

  /// - Returns: the number of events in the body.
  private func store(_ body: BodyFile, from url: String) throws -> Int {
    // "No content", as in the standard.
    guard body.count > 0 else { return 0 }
    let (report, problems) = try fetcher.repeatedImport.run(
      body, from: FeedRequest(name: "backfill", source: .web(url)))
    for problem in problems { fetcher.log.problem("\(url): \(problem)") }
    guard report.isUsable else { throw Failure(.badResponse, "\(url) returned nothing usable") }
    return report.events + report.bad
  }

  /// Loads a body; repeats the request after failures that may pass, when the service allows it.
  private func load(_ url: String) throws -> BodyFile {
    var wait = firstWait
    for attempt in 1... {
      guard fetcher.signals.stop == nil else { break }
      do {
        let request = FeedRequest(name: "backfill", source: .web(url))
        guard let response = try fetcher.load(request) else { break }
        guard let body = response.body else { throw Failure(.badResponse, "\(url) responded that nothing has changed") }
        return body
      } catch let failure as FetchFailure where failure.mayPass && attempt < maximumAttempts {
        let pause = min(max(wait, failure.retryAfter ?? .zero), FetchSchedule.maximumRequestedWait)
        fetcher.log.problem("\(failure.failure.message); retrying in \(pause.components.seconds) s")
        fetcher.sleep(pause)
        wait = min(wait * 2, FetchSchedule.maximumBackOff)
      }
    }
    throw Failure(.interrupted, "the back-fill was interrupted; run it again to continue")
  }
}

extension FetchFailure {
  /// Whether the same request may succeed later.
  fileprivate var mayPass: Bool {
    failure.status == .network || failure.status == .rateLimited || (status ?? 0) >= 500 && status != 501
  }
}
