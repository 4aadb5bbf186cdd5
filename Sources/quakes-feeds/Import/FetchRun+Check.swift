import CoreData
import Foundation
import StrataQuakes

extension FetchRun {
  /// Queries a service for an earthquake, and stores the response: a new state, another ID, or a deletion.
  ///
  /// - Returns: whether the service knows the ID.
  /// - Throws: `Failure` or `FetchFailure`.
  public func check(_ id: String, with service: EventService) throws -> Bool {
    func tellUnknown(_ id: String) -> Bool {
      log.problem("\(id): \(service.base) does not know it")
      return false
    }
    let request = FeedRequest(name: "check", source: .web(service.eventURL(id)))
    do {
      guard let body = try load(request)?.body, body.count > 0 else { return tellUnknown(id) }
      let (report, _) = try repeatedImport.run(body, from: request)
      log.result("\(id): \(report)")
      return true
    } catch let failure as FetchFailure where failure.status == 409 {
      let isNew = try retract(id, reason: Quake.deletionReason)
      log.result("\(id): deleted" + (isNew ? "" : ", as stored"))
      return true
    } catch let failure as FetchFailure where failure.status == 404 {
      return tellUnknown(id)
    }
  }

  /// Retracts a stored earthquake because the service reported that it deleted it.
  ///
  /// - Returns: whether it was live.
  /// - Throws: `Failure` if there is no such earthquake, or the store cannot be written.
  private func retract(_ identifier: String, reason: String) throws -> Bool {
    let (container, location) = (try openStore(), location)
    let lock = try ImportLock(location, isStopped: { signals.stop != nil })
    defer { withExtendedLifetime(lock) {} }
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      context.transactionAuthor = "quakes-fetch"
      guard let quake = try Quake.find(identifier, in: context) else {
        throw Failure(.notFound, "\(identifier) is deleted, and the store does not have it")
      }
      guard quake.standingValue != .retracted else { return false }
      let now = Date()
      quake.record(.retracted, reason: reason, at: RecordTime(said: now, learnt: now))
      do {
        try context.save()
      } catch {
        throw Failure.saving(location, error: error)
      }
      return true
    }
  }
}
