import Foundation
import StrataQuakes

/// The store's folder may be deleted, moved or replaced while the worker runs: it then opens the store again, at the same
/// path.
extension FetchRun {
  /// A program that deletes the folder would fail if the worker created files in it before the end.
  private static let quietMilliseconds: Int32 = 1000
  private static let maximumWait = Duration.seconds(10)

  /// - Returns: nil if the system cannot watch it: the loss is then noticed when the next feed arrives.
  func watchFolder() -> FolderMonitor? {
    let events = FolderMonitor(location.folder.filePath)
    if events == nil {
      log.problem(
        """
        cannot watch \(location.folder.path): \(Failure.systemError()); close some programs, or raise \
        fs.inotify.max_user_instances
        """)
    }
    return events
  }

  /// Opens the store again if it was lost, and makes all feeds due.
  ///
  /// - Throws: `Failure` if that is impossible, or if another worker fetches into it.
  func restoreStore(_ lock: WorkerLock, _ folder: FolderMonitor?, _ schedule: inout FetchSchedule) throws(Failure) {
    folder?.drain()
    guard isStoreLost || !lock.isCurrent else { return }
    waitUntilQuiet(folder)
    let isLost = isStoreLost
    if isLost {
      log.problem("the store in \(location.folder.path) was deleted, moved or replaced; opening it again")
      closeStore()
    }
    guard signals.stop == nil else { return }
    try lock.renew()
    guard isLost else { return }
    schedule.restart(at: .now)
    do throws(Failure) {
      _ = try openStore()
    } catch {
      if error.isOfOtherVersion { continueAsNewVersion(lock, schedule) }
      throw error
    }
  }

  private func waitUntilQuiet(_ folder: FolderMonitor?) {
    let end = ContinuousClock.now + Self.maximumWait
    var waiting = [signals.stopDescriptor, folder?.descriptor ?? -1]
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while signals.stop == nil, .now < end, poll(&waiting, nfds_t(waiting.count), Self.quietMilliseconds) > 0 {
      folder?.drain()
    }
  }
}
