import CoreData
import Dispatch
import Foundation
import StrataQuakes

/// Prints the events of transactions as they are committed, and ends the process.
///
/// On the main queue, as other queues of Dispatch wake the process every second for as long as it runs.
@MainActor
final class IdleWait {
  struct Options: Sendable {
    var kinds: Set<StoreEvent.Kind>
    var isLoop: Bool
    var printsToken: Bool
    var location: StoreLocation
  }

  /// For the newer version of this program.
  struct FormerSelf: Codable {
    var token: String
    var hasEvents: Bool
    var end: ContinuousClock.Instant?
  }

  private let follower: HistoryFollower
  private let context: NSManagedObjectContext
  private let options: Options
  /// After the last transaction that was read.
  private var token: HistoryToken
  private var hasEvents: Bool
  /// nil for no end.
  private var endTime: ContinuousClock.Instant?
  /// The commits of one turn of the main queue are read together.
  private var plannedRead: PlannedAction?
  private var observer: (any NSObjectProtocol)?
  private var timer: (any DispatchSourceTimer)?
  private var lossWatch: StoreLossMonitor?
  private var migrationMonitor: MigrationMonitor?

  /// - Parameter hasEvents: whether events were printed already.
  init(
    _ start: (follower: HistoryFollower, token: HistoryToken), container: QuakesContainer, options: Options,
    hasEvents: Bool
  ) {
    (follower, token) = start
    (context, self.options, self.hasEvents) = (container.newBackgroundContext(), options, hasEvents)
    plannedRead = PlannedAction { [weak self] in self?.read() }
    migrationMonitor = MigrationMonitor(container) {
      DispatchQueue.main.async { MainActor.assumeIsolated { self.planRead() } }
    }
  }

  /// Waits until the process ends.
  ///
  /// - Parameter end: nil for no end.
  func begin(until end: ContinuousClock.Instant?) {
    endTime = end
    observer = NotificationCenter.default.addObserver(forName: .NSPersistentStoreRemoteChange, object: nil, queue: nil)
    { _ in
      DispatchQueue.main.async { MainActor.assumeIsolated { self.planRead() } }
    }
    lossWatch = StoreLossMonitor(options.location) { self.end($0) }
    // Existing events are printed even with a timeout of zero.
    read()
    guard let end else { return }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + max(0, ContinuousClock.now.duration(to: end) / .seconds(1)))
    timer.setEventHandler { MainActor.assumeIsolated { self.end() } }
    timer.activate()
    self.timer = timer
  }

  private func planRead() { plannedRead?.plan() }

  private func read() {
    do {
      var isNew = false
      try follower.catchUp { isNew = try write($0) || isNew }
      guard isNew else { return }
      hasEvents = true
      try writeToken()
      if !options.isLoop { exit(.ok) }
    } catch {
      var failure = failure(error)
      let former = FormerSelf(token: token.text, hasEvents: hasEvents, end: endTime)
      let isReplaced = ProgramReplacement.current.execute(
        after: &failure, handing: former, onFailure: { self.end($0) })
      if !isReplaced { end(failure) }
    }
  }

  private func end(_ failure: Failure) -> Never {
    StandardStream.error.line("quakes: \(failure.message)")
    exit(failure.status)
  }

  /// The time is over.
  private func end() {
    if hasEvents { exit(.ok) }
    // Where nothing happened, the token is what the call was for.
    try? writeToken()
    exit(.noMatch)
  }

  /// - Returns: whether there was anything to write.
  private func write(_ transaction: NSPersistentHistoryTransaction) throws -> Bool {
    let events = try context.performAndWait { try StoreEvent.events(of: transaction, in: context) }
      .filter { options.kinds.contains($0.kind) }
    for event in events where try !Output.line(event.line) { exit(.ok) }
    token.transaction = transaction.transactionNumber
    return !events.isEmpty
  }

  private func writeToken() throws {
    if options.printsToken { try Output.line("token \(token.text)") }
  }

  private func failure(_ error: any Error) -> Failure {
    if let failure = error as? Failure { return failure }
    if (error as NSError).code == NSPersistentHistoryTokenExpiredError {
      return Failure(
        .notFound, "the history after \(token.text) was deleted; read the list again, and start over",
        cause: error)
    }
    return Failure.reading(options.location, error: error)
  }

  private func exit(_ status: ExitStatus) -> Never { Foundation.exit(status.rawValue) }
}
