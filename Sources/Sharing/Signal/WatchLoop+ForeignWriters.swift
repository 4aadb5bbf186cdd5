/// The safety net for writers that send no signal: watches the write-ahead log and rechecks after a delay (invariant
/// 4).
///
/// The WAL's event precedes the commit's visibility, and no event follows, because the wal-index is mapped memory. So
/// each event schedules three rechecks; the watch is disarmed until the first of them, because a commit writes the WAL
/// many times. Timers run only after an event.
extension WatchLoop {
  /// Milliseconds after the last event. 20 is longer than most commits take; then one for commits that wait for the
  /// disk, and one for those that wait long.
  private static let delays: [Int64] = [20, 100, 1000]

  /// Watches the store's WAL, sharing an existing watch. Without a WAL, its creation will be an event of the
  /// folder.
  /// If the system has no watch left, folder events and signals remain.
  func watchLog(of store: ObservedStore) {
    guard store.noticesForeignWriters, store.folderWatch != nil, store.logWatch == nil, let source else { return }
    let known = logs.first { log in
      log.value.contains { $0.name == store.name && $0.folder == store.folder }
    }
    let new = try? known?.key ?? source.watch(.file, folder: store.folder, name: store.logName, for: .modified)
    guard let watch = new else { return }
    logs[watch, default: []].append(store)
    store.logWatch = watch
  }

  func handleLogEvent(_ event: FolderEvent, hasEnded: Bool) {
    let concerned = logs.removeValue(forKey: event.watch) ?? []
    for store in concerned { store.logWatch = nil }
    guard event.change.contains(.modified) else { return }
    if !hasEnded { source?.unwatch(event.watch) }
    for store in concerned { armRechecks(of: store) }
  }

  /// Rechecks, because writes between the WAL's creation and the new watch caused no event.
  func logWasReplaced(of store: ObservedStore) {
    guard store.noticesForeignWriters else { return }
    forgetLog(of: store)
    watchLog(of: store)
    armRechecks(of: store)
  }

  /// Puts off the rechecks that are due, because the handler that the signal calls looks too. So the watch stays
  /// disarmed while writers signal faster than it would be rearmed.
  func wasSignaled(_ store: ObservedStore) {
    if store.logWatch == nil, !store.rechecks.isEmpty { armRechecks(of: store) }
  }

  /// Stops observing the WAL. The watch itself ends with the file, or with the next event that no store needs.
  func forgetLog(of store: ObservedStore) {
    guard let watch = store.logWatch else { return }
    store.logWatch = nil
    logs[watch]?.removeAll { $0 === store }
    if logs[watch]?.isEmpty == true { logs[watch] = nil }
  }

  /// Rearms each watch before its recheck, so that a write in between causes an event.
  func recheckLogs(at now: MonotonicTime) {
    for store in stores {
      while let deadline = store.rechecks.first, deadline <= now {
        store.rechecks.removeFirst()
        watchLog(of: store)
        store.isDue = true
      }
    }
  }

  private func armRechecks(of store: ObservedStore) {
    let now = MonotonicTime.now
    store.rechecks = Self.delays.map { now.adding(milliseconds: $0) }
  }
}
