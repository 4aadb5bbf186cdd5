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
  /// The locks and the schedule, with which the newer version continues.
  public struct FormerSelf: Codable {
    public var lock: WorkerLock.Descriptors
    var feeds: [FetchSchedule.Handover]
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
      if requests.reload { log.reopen() }
      closeStore()
      try program.execute(
        handing: FormerSelf(lock: lock.descriptors, feeds: schedule.handover(at: .now)),
        keptSignals: WorkerSignals.all, keptFiles: lock.descriptors.all)
    } catch {
      if error.message != reportedReplacement { log.problem(error.message) }
      reportedReplacement = error.message
    }
  }
}
