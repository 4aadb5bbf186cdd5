import Foundation
import StrataQuakes
import Synchronization

/// The processes that deliver alerts: `quakes-fetch tell`, each in a session of its own, so that neither the worker's end nor
/// its death ends one.
final class AlertDispatcher: Sendable {
  /// The maximum number of processes that run at the same time.
  private static let maximumProcesses = 8

  private struct Task: Hashable {
    var rule: String
    var identifier: String
  }

  private let location: StoreLocation
  private let isTimed: Bool
  private let group = DispatchGroup()
  private let slots = DispatchSemaphore(value: maximumProcesses)
  private let queue = DispatchQueue(label: "alerts")
  private enum Stage { case waiting, running, runningAndDueAgain }

  /// An alert is due until its process has claimed it, and may become due again while it is delivered.
  private let stages = Mutex<[Task: Stage]>([:])

  init(location: StoreLocation, isTimed: Bool) {
    (self.location, self.isTimed) = (location, isTimed)
    // For the delivering processes, whose `--store` is the folder of the user's own data.
    if let server = location.serverURL { setenv("QUAKES_STORE", server.absoluteString, 1) }
  }

  /// Begins as soon as fewer than eight run.
  func deliver(_ identifier: String, by rule: String) {
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
    // This program itself, even if its file was replaced by a newer one.
    var spawn = Spawn.detached("/proc/self/exe", arguments: arguments)
    spawn.separation = .session
    // A service manager that stops the worker must not stop it before it has recorded the outcome, which is soon.
    spawn.blockedSignals = [SIGTERM, SIGINT, SIGHUP]
    do {
      _ = Spawn.wait(for: try spawn.start())
    } catch {
      let reason = Failure.systemError(error.code)
      StandardStream.error.line("quakes-fetch: cannot start a process for an alert: \(spawn.program): \(reason)")
    }
  }

  private var path: String { location.folder.standardizedFileURL.path }
}
