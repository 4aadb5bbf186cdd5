import StrataRowStore

/// An observation of one store. Thread-safe.
package final class FileSignalObservation: SignalObservation {
  private let store: ObservedStore
  private let watcher: Watcher

  init(store: ObservedStore, watcher: Watcher) {
    self.store = store
    self.watcher = watcher
  }

  /// The current mode. It changes when the store's folder disappears and when it returns.
  package var mode: SignalMode { store.mode }

  package func cancel() {
    guard store.end() else { return }
    watcher.forget(store)
  }

  deinit { cancel() }
}
