import CoreData
import Foundation
import StrataQuakes

/// Imports a body, and imports it again if another process stored some of the same events in the meantime: the import
/// then finds them and writes what still differs.
struct RepeatedImport {
  /// More than processes that one would run at the same time: of those that collide, one succeeds each time.
  static let maximumAttempts = 30
  /// Limits the log of a body full of problems.
  static let maximumReportedProblems = 20

  var openStore: () throws -> QuakesContainer
  var location: StoreLocation
  var cities: () -> CityGrid?
  var signals: WorkerSignals
  var limits = JoinLimits()

  /// - Returns: the import's result, and messages about the body's problems.
  /// - Throws: what `QuakeImport.run` throws, the last attempt's error.
  func run(_ body: BodyFile, from request: FeedRequest) throws -> (ImportReport, problems: [String]) {
    for attempt in 1..<Self.maximumAttempts {
      do {
        return try importOnce(body, from: request)
      } catch let failure as Failure where Self.isLostRace(failure) && signals.stop == nil {
        pause(after: attempt)
      }
    }
    return try importOnce(body, from: request)
  }

  private func importOnce(_ body: BodyFile, from request: FeedRequest) throws -> (ImportReport, problems: [String]) {
    var problems: [String] = []
    var count = 0
    let work = QuakeImport(
      openStore: openStore, location: location, limits: limits, cities: cities, isStopped: { signals.stop != nil })
    let report = try work.run(body.body(), from: request, now: Date()) { problem in
      count += 1
      if count <= Self.maximumReportedProblems { problems.append("\(problem)") }
    }
    if count > Self.maximumReportedProblems { problems.append("and \(count - Self.maximumReportedProblems) more") }
    return (report, problems)
  }

  /// Whether another process was faster, or held the store for long.
  private static func isLostRace(_ failure: Failure) -> Bool {
    let codes: [CocoaError.Code] = [.managedObjectMerge, .managedObjectConstraintMerge, .persistentStoreTimeout]
    guard let error = failure.cause as? CocoaError else { return false }
    return codes.contains(error.code)
  }

  /// Waits for a random time of up to a second, so that processes that collided once do not collide again; a signal ends the wait.
  private func pause(after attempt: Int) {
    let longest = min(1000, 20 << min(attempt, 6))
    var waiting = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, Int32.random(in: 1...Int32(longest)))
  }
}
