import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes-fetch check ID…`: asks the service itself about events.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Query an FDSN event service for earthquakes by ID.",
    discussion: """
      Stores the response: a new state, another ID, or a deletion. An ID that the service does not know, or no longer \
      knows, changes nothing.

      Exit status: 3 if the service does not know one of the IDs.
      """)

  @Option(
    name: [.customLong("service"), .customLong("base-url")],
    help: ArgumentHelp("The service's URL up to its version.", valueName: "url"))
  var service = EventService.defaultURL

  @OptionGroup var joinOptions: JoinOptions

  @Option(help: ArgumentHelp("The store's folder (default: $QUAKES_STORE).", valueName: "folder"))
  var store: String?

  @Argument(help: "The earthquakes' IDs.", completion: .earthquakes)
  var ids: [String]

  mutating func validate() throws {
    guard service.hasPrefix("http://") || service.hasPrefix("https://") else {
      throw ValidationError("--service must be an http or https URL.")
    }
  }

  mutating func run() throws {
    let location = try StoreLocation(option: store)
    try location.refuseMistyped()
    let fetcher = FetchRun(
      location: location, loader: try FeedLoader(), signals: WorkerSignals(),
      log: WorkerLog(isTimed: false), limits: joinOptions.limits)
    defer { fetcher.closeStore() }
    var isKnown = true
    for id in ids where fetcher.signals.stop == nil {
      isKnown = try Self.check(id, with: EventService(base: service), by: fetcher) && isKnown
    }
    if !isKnown { Foundation.exit(ExitStatus.notFound.rawValue) }
  }

  /// - Returns: whether the service knows the ID.
  static func check(_ id: String, with service: EventService, by fetcher: FetchRun) throws -> Bool {
    func tellUnknown(_ id: String) -> Bool {
      fetcher.log.problem("\(id): \(service.base) does not know it")
      return false
    }
    let request = FeedRequest(name: "check", source: .web(service.eventURL(id)))
    do {
      guard let body = try fetcher.load(request)?.body, body.count > 0 else { return tellUnknown(id) }
      let (report, _) = try fetcher.repeatedImport.run(body, from: request)
      fetcher.log.result("\(id): \(report)")
      return true
    } catch let failure as FetchFailure where failure.status == 409 {
      let isNew = try fetcher.retract(id, reason: Quake.deletionReason)
      fetcher.log.result("\(id): deleted" + (isNew ? "" : ", as stored"))
      return true
    } catch let failure as FetchFailure where failure.status == 404 {
      return tellUnknown(id)
    }
  }

}

extension FetchRun {
  /// Retracts a stored earthquake by the service's own word.
  ///
  /// - Returns: whether it was live.
  /// - Throws: `Failure` if there is no such earthquake, or the store cannot be written.
  func retract(_ identifier: String, reason: String) throws -> Bool {
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
