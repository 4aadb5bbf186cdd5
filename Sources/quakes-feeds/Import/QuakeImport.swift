import Foundation
import StrataQuakes

/// Imports bodies: finds what is new, what is an update, what was withdrawn, and writes only differences.
///
/// Each body is imported on a background context of its own, in one transaction, or none if it says nothing new.
struct QuakeImport {
  /// Opens or creates the store; called once the body has turned out to be a feed.
  var openStore: () throws -> QuakesContainer
  var location: StoreLocation
  var limits = JoinLimits()
  var sizes = BodyImport.Sizes()
  /// Called once the store is open; nil without a Reference store.
  var cities: () -> CityGrid? = { nil }
  /// Whether to stop waiting for another process's import, and this one.
  var isStopped: () -> Bool = { false }

  /// Imports and saves the body; blocks until done.
  ///
  /// - Parameter onProblem: called for each part that could not be used.
  /// - Throws: `Failure` if the body is not a feed or the store cannot be written; the store is then unchanged.
  func run(
    _ body: FeedBody, from request: FeedRequest, now: Date, onProblem: (FeedProblem) -> Void
  ) throws -> ImportReport {
    let document = try document(of: body, from: request, now: now)
    let container = try openStore()
    let lock = try ImportLock(location, isStopped: isStopped)
    defer { withExtendedLifetime(lock) {} }
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      context.transactionAuthor = "quakes-fetch"
      context.undoManager = nil
      var work = try BodyImport(
        document, context: context, location: location, request: request, now: now, limits: limits)
      (work.sizes, work.cities, work.isStopped) = (sizes, cities(), isStopped)
      return try work.run(document, onProblem: onProblem)
    }
  }

  /// Reads what precedes the events.
  private func document(of body: FeedBody, from request: FeedRequest, now: Date) throws -> EventDocument {
    do {
      return try EventDocument(body, now: now, format: request.format, isStopped: isStopped)
    } catch {
      throw Failure(.badResponse, "\(request.name) \(error)", cause: error)
    }
  }
}
