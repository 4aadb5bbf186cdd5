import CoreData
import Dispatch
import Foundation
import StrataQuakes

/// Finds due alerts, and starts processes that deliver them.
///
/// It does not keep state: the Personal store records the delivered alerts.
final class AlertWatch {
  private let location: StoreLocation
  private let log: WorkerLog
  private let signals: WorkerSignals
  private let dispatcher: AlertDispatcher
  /// The last problem, which is reported only once.
  private var reportedProblem: String?
  private var hasMissedNotifier = false

  init(location: StoreLocation, signals: WorkerSignals, log: WorkerLog) {
    (self.location, self.log, self.signals) = (location, log, signals)
    dispatcher = AlertDispatcher(location: location, isTimed: log.isTimed)
  }

  /// Starts the delivery of due alerts. Without a Personal store, this only checks whether its file exists.
  func dispatch(from openStore: () throws -> QuakesContainer) {
    guard location.hasPersonal else { return }
    var problem = location.alertRefusal
    if problem == nil {
      do {
        for (rule, identifier) in try due(in: openStore()) { dispatcher.deliver(identifier, by: rule) }
      } catch {
        problem = "alerts do not run: \((error as? Failure)?.message ?? error.localizedDescription)"
      }
    }
    if let problem, problem != reportedProblem { log.problem(problem) }
    reportedProblem = problem
  }

  /// Rules and IDs of earthquakes. Closes the Personal store afterwards, because it may be replaced at any time.
  private func due(in container: QuakesContainer) throws -> [(rule: String, identifier: String)] {
    guard let store = try container.addPersonal(location, for: .reading) else { return [] }
    // A store that stays open by mistake is closed with the others.
    defer { try? container.persistentStoreCoordinator.remove(store) }
    let context = container.newBackgroundContext()
    var needsNotifier = false
    let due = try context.performAndWait {
      var due: [(rule: String, identifier: String)] = []
      for rule in try context.fetch(AlertRule.all()) {
        let quakes = try rule.due(at: Date(), in: context).compactMap(\.quake.identifier)
        due += quakes.map { (rule.name ?? "", $0) }
        needsNotifier = needsNotifier || rule.notifies && !quakes.isEmpty
      }
      return due
    }
    if needsNotifier { lookForNotifier() }
    return due
  }

  private func lookForNotifier() {
    guard !hasMissedNotifier, AlertProgram.find(AlertMessage.notifier) == nil else { return }
    hasMissedNotifier = true
    log.problem(
      "cannot show notifications: \(AlertMessage.notifier) is not on PATH; install it (Debian: libnotify-bin)")
  }

  func wait(atMost time: DispatchTimeInterval) { _ = dispatcher.wait(for: time) }

  /// Waits until all alerts are delivered; a signal ends the wait. Running deliveries finish, and the others stay due.
  func waitForAll() {
    while signals.stop == nil, !dispatcher.wait(for: .milliseconds(50)) {}
  }
}
