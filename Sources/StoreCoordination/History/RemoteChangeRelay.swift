import Foundation
import StrataObjectGraph
import StrataRowStore
import Synchronization

/// Posts `.NSPersistentStoreRemoteChange` for a store without history: another process has committed, but the changes are unknown.
final class RemoteChangeRelay: Sendable {
  private let identifier: String
  private let url: URL?
  private let signal: any CommitSignal
  private let probe: any CommitProbe
  private let signalWarning = SignalWarning()
  private let queue = DispatchQueue(label: "NSPersistentStore changes", qos: .userInitiated)
  private let observation = Mutex<(any SignalObservation)?>(nil)

  init(of store: any CommitSignaling, at url: URL?, in coordinator: NSPersistentStoreCoordinator) throws {
    (identifier, self.url, signal) = (store.identifier, url, store.signal)
    probe = try store.makeCommitProbe()
    let reference = coordinator.reference
    let watch = try signal.observe { [weak self] in
      guard let self else { return }
      queue.async { self.check(reference) }
    }
    observation.withLock { $0 = watch }
  }

  /// Announces a commit of this process the way other processes' commits are.
  func committed() {
    signalWarning.post(signal, for: url?.shown ?? identifier)
  }

  func stop() {
    observation.withLock { watch in
      watch?.cancel()
      watch = nil
    }
    probe.close()
  }

  private func check(_ reference: LivingReference<NSPersistentStoreCoordinator>) {
    // The next check makes up for one that fails: the probe still knows the previous version.
    guard (try? probe.hasChanged()) == true, let coordinator = reference.object else { return }
    coordinator.announceRemoteChange(of: identifier, at: url, token: nil)
  }
}

extension NSPersistentStoreCoordinator {
  /// Posts `.NSPersistentStoreRemoteChange` on the announcements queue.
  /// - Parameter identifier: the store's UUID.
  func announceRemoteChange(of identifier: String, at url: URL?, token: NSPersistentHistoryToken?) {
    var userInfo: [String: any Sendable] = [NSStoreUUIDKey: identifier]
    userInfo[NSPersistentStoreURLKey] = url
    userInfo[NSPersistentHistoryTokenKey] = token
    announcements.async { [userInfo] in
      NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: self, userInfo: userInfo)
    }
  }
}
