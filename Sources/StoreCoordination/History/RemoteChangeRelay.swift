import Foundation
import StrataDiagnostics
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore
import StrataStoreSignal
import Synchronization

/// Posts `.NSPersistentStoreRemoteChange` for a store that keeps no history: somebody committed, and what is not known.
final class RemoteChangeRelay: Sendable {
  private let store: SQLStore
  /// The store's file; a URL works its path out anew each time, which takes longer than the signal.
  private let path: String
  private let probe: CommitProbe
  private let looks = DispatchQueue(label: "NSPersistentStore changes", qos: .userInitiated)
  private let observation = Mutex<SignalObservation?>(nil)

  init(of store: SQLStore, in coordinator: NSPersistentStoreCoordinator) throws {
    self.store = store
    path = store.path
    probe = try CommitProbe(of: store)
    let reference = coordinator.reference
    let watch = try CommitSignal.observe(storePath: path) { [weak self] in
      guard let self else { return }
      looks.async { self.look(reference) }
    }
    observation.withLock { $0 = watch }
  }

  /// A commit of this process is told like one of any other.
  func committed() {
    do {
      try CommitSignal.post(storePath: path)
    } catch {
      Diagnostics.warn("other processes hear late of a commit to '\(path)': \(error)")
    }
  }

  func stop() {
    observation.withLock { watch in
      watch?.cancel()
      watch = nil
    }
    probe.close()
  }

  private func look(_ reference: LivingReference<NSPersistentStoreCoordinator>) {
    // A look that fails is made up for by the next: the probe still knows the version before.
    guard (try? probe.hasChanged()) == true, let coordinator = reference.object else { return }
    coordinator.announce(store, token: nil)
  }
}

extension NSPersistentStoreCoordinator {
  /// Posts `.NSPersistentStoreRemoteChange` on the queue of announcements.
  func announce(_ store: SQLStore, token: NSPersistentHistoryToken?) {
    var userInfo: [String: any Sendable] = [
      NSStoreUUIDKey: store.identifier, NSPersistentStoreURLKey: store.url,
    ]
    userInfo[NSPersistentHistoryTokenKey] = token
    announcements.async { [userInfo] in
      NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: self, userInfo: userInfo)
    }
  }
}
