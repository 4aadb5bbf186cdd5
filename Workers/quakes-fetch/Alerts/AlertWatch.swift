import CoreData
import Foundation
import StrataQuakes

/// Finds what the user's rules have yet to tell, and has it told by other processes.
///
/// It writes nothing and remembers nothing that matters: what was told is in the Personal store.
final class AlertWatch {
  private let location: StoreLocation
  private let log: WorkerLog
  private let signals: WorkerSignals
  private let tellers: AlertTellers
  /// What was said last of rules that cannot be followed, so that it is said once.
  private var toldProblem: String?
  private var hasMissedNotifier = false

  init(location: StoreLocation, signals: WorkerSignals, log: WorkerLog) {
    (self.location, self.log, self.signals) = (location, log, signals)
    tellers = AlertTellers(location: location, isTimed: log.isTimed)
  }

  /// Begins to tell what is due. A user without a Personal store costs one look at the folder.
  func tell(from openStore: () throws -> QuakesContainer) {
    guard location.hasPersonal else { return }
    var problem = location.alertRefusal
    if problem == nil {
      do {
        for (rule, identifier) in try due(in: openStore()) { tellers.tell(of: identifier, by: rule) }
      } catch {
        problem = "alerts do not run: \((error as? Failure)?.message ?? error.localizedDescription)"
      }
    }
    if let problem, problem != toldProblem { log.problem(problem) }
    toldProblem = problem
  }

  /// Rules and ids of earthquakes. The Personal store is open only meanwhile: it may be replaced at any time.
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

  /// Waits until everything is told; a signal ends the wait. What is being told is told to its end, and what is not yet
  /// begun is still due.
  func waitForAll() {
    while signals.stop == nil, !tellers.wait(for: .milliseconds(50)) {}
  }
}
