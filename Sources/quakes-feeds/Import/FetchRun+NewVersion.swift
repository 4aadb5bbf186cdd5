import Foundation
import StrataCCurl
import StrataQuakes
import Synchronization

/// A notice, for a thread that waits with poll(2), that a newer version of the programs has migrated the store.
final class MigrationNotice: Sendable {
  /// Becomes readable, and stays so, when it is posted.
  let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
  private let posted = Mutex(false)

  deinit { close(descriptor) }

  var isPosted: Bool { posted.withLock { $0 } }

  func post() {
    posted.withLock { $0 = true }
    eventfd_write(descriptor, 1)
  }

  /// Makes the descriptor unreadable again. The notice stays posted.
  func drain() {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
  }
}

/// A worker continues as its newer version once that has migrated the store.
extension FetchRun {
  /// The locks, the schedule and the paths of the log, with which the newer version continues. It reads those of older versions:
  /// a new field must be optional.
  public struct FormerSelf: Codable {
    public var lock: WorkerLock.Descriptors
    var feeds: [FetchSchedule.Handover]
    /// By descriptor.
    var logFiles: [Int32: String]
    /// Whether a signal to reload came that this version did not obey anymore.
    var isReloadDue: Bool
  }

  private static let maximumDeliveryWait = DispatchTimeInterval.seconds(10)

  /// Executes the newer version, which continues with the locks and the times of the schedule. Returns if none is installed, or
  /// if a signal ends the worker; the next call tries again.
  func continueAsNewVersion(_ lock: WorkerLock, _ schedule: FetchSchedule) {
    migration?.drain()
    let program = ProgramReplacement.current
    do throws(Failure) {
      guard let version = try program.check() else { return }
      log.result("a newer version has migrated the store; continuing as version \(version)")
      waitForAlerts(atMost: Self.maximumDeliveryWait)
      signals.suspend()
      defer { signals.resume() }
      guard signals.stop == nil else { return }
      let requests = signals.takeRequests()
      var schedule = schedule
      if requests.fetchNow { schedule.makeAllDue(at: .now) }
      closeStore()
      let former = FormerSelf(
        lock: lock.descriptors, feeds: schedule.handover(at: .now), logFiles: log.files, isReloadDue: requests.reload)
      do throws(Failure) {
        try program.execute(handing: former, keptSignals: WorkerSignals.all, keptFiles: lock.descriptors.all)
      } catch {
        signals.repeatRequests(requests)
        throw error
      }
    } catch {
      if error.message != reportedReplacement { log.problem(error.message) }
      reportedReplacement = error.message
    }
  }
}
