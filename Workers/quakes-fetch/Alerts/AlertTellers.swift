import Foundation
import StrataQuakes
import Synchronization

/// The processes that tell alerts: `quakes-fetch tell`, each in a session of its own, so that neither the worker's end nor
/// its death ends one.
final class AlertTellers: Sendable {
  /// How many run at once.
  private static let most = 8

  private struct Task: Hashable {
    var rule: String
    var identifier: String
  }

  private let location: StoreLocation
  private let isTimed: Bool
  private let group = DispatchGroup()
  private let slots = DispatchSemaphore(value: most)
  private let queue = DispatchQueue(label: "alerts")
  private enum Stage { case waiting, running, runningAndDueAgain }

  /// What is due stays due until its process has claimed it, and may be due again while it is told.
  private let stages = Mutex<[Task: Stage]>([:])

  init(location: StoreLocation, isTimed: Bool) {
    (self.location, self.isTimed) = (location, isTimed)
  }

  /// Begins as soon as fewer than eight run.
  func tell(of identifier: String, by rule: String) {
    let task = Task(rule: rule, identifier: identifier)
    guard isNew(task) else { return }
    group.enter()
    queue.async { [self] in
      slots.wait()
      // Each waits on a thread of its own: they sleep, and are eight at most.
      Thread.detachNewThread { [self] in
        repeat {
          stages.withLock { $0[task] = .running }
          run(task)
        } while isDueAgain(task)
        slots.signal()
        group.leave()
      }
    }
  }

  private func isNew(_ task: Task) -> Bool {
    stages.withLock { stages in
      switch stages[task] {
      case nil:
        stages[task] = .waiting
        return true
      case .waiting: return false
      case .running, .runningAndDueAgain:
        stages[task] = .runningAndDueAgain
        return false
      }
    }
  }

  /// Forgets the task if it is not.
  private func isDueAgain(_ task: Task) -> Bool {
    stages.withLock { stages in
      if stages[task] == .runningAndDueAgain { return true }
      stages[task] = nil
      return false
    }
  }

  /// - Returns: whether none waits or runs.
  func wait(for time: DispatchTimeInterval) -> Bool { group.wait(timeout: .now() + time) == .success }

  private func run(_ task: Task) {
    var arguments = ["quakes-fetch", "tell", "--store=\(path)", "--rule=\(task.rule)", "--id=\(task.identifier)"]
    if isTimed { arguments.append("--timed") }
    do {
      // This program itself, even if its file was replaced by a newer one. A service manager that stops the worker must not
      // stop it before it has recorded how the telling ended, which is soon.
      _ = AlertSpawn.wait(for: try AlertSpawn(path: "/proc/self/exe", arguments: arguments, kind: .session).start())
    } catch {
      StandardStream.error.line("quakes-fetch: cannot start a process for an alert: \(error.message)")
    }
  }

  private var path: String { location.folder.standardizedFileURL.path }
}
