/// Polling, for stores without a watch: no inotify instance, no watch left, or no folder at the moment.
extension WatchLoop {
  func startPolling(_ store: ObservedStore, because reason: Any) {
    store.mode = .polling(reason: "\(reason)")
    // A store that is polled already keeps its fingerprint.
    guard store.nextPoll == nil else { return }
    store.fingerprint = FileFingerprint(of: store)
    store.lastChange = .now
    store.nextPoll = store.lastChange.adding(milliseconds: 250)
  }

  func stopPolling(_ store: ObservedStore) {
    store.mode = .watching
    store.nextPoll = nil
    store.fingerprint = nil
  }

  func pollFiles(at now: MonotonicTime) {
    for store in stores {
      guard let deadline = store.nextPoll, deadline <= now else { continue }
      poll(store, at: now)
    }
  }

  private func poll(_ store: ObservedStore, at now: MonotonicTime) {
    if source != nil {
      attach(store)
      if store.folderWatch != nil {
        store.isDue = true
        return
      }
    }
    checkFiles(of: store, at: now)
    let quiet = store.lastChange.adding(milliseconds: 60_000) < now
    store.nextPoll = now.adding(milliseconds: quiet ? 1000 : 250)
  }

  /// Reports a change once more at the next poll: two writes within one tick of the kernel's clock leave equal times.
  private func checkFiles(of store: ObservedStore, at now: MonotonicTime) {
    let fingerprint = FileFingerprint(of: store)
    if fingerprint != store.fingerprint {
      store.lastChange = now
      store.isDue = true
      store.needsRetry = true
    } else if store.needsRetry {
      store.isDue = true
      store.needsRetry = false
    }
    store.fingerprint = fingerprint
  }
}
