/// How signals are noticed.
package enum SignalMode: Equatable, Sendable {
  /// The kernel wakes us; nothing runs while nothing happens.
  case watching
  /// The files are looked at every 250 ms, every second after a quiet minute, for this reason.
  case polling(reason: String)
}

/// An observer of one store, in force until it is cancelled or released. Usable from every thread.
package final class SignalObservation: Sendable {
  private let store: ObservedStore
  private let watcher: Watcher

  init(store: ObservedStore, watcher: Watcher) {
    self.store = store
    self.watcher = watcher
  }

  /// How signals are noticed now. It changes when the folder of the store vanishes and when it comes back.
  package var mode: SignalMode { store.mode }

  /// No call begins after this returned, save one that was already on its way. May be called twice, and from
  /// within `onChange`.
  package func cancel() {
    guard store.end() else { return }
    watcher.forget(store)
  }

  deinit { cancel() }
}
