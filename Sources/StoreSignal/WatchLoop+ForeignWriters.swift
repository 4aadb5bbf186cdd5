/// The net for writers that send no signal: the write-ahead log is watched, and looked at with delay (invariant 4).
///
/// The event of the log comes before the commit can be seen, and no other follows: the index of the log is mapped
/// memory and makes none. So each event arms three looks, and the watch rests until the first of them, as a commit
/// writes the log many times. Timers exist after an event only.
extension WatchLoop {
  /// Milliseconds after the last event. 20: longer than most commits, so that they can be seen; then for one that
  /// waits for the disk, and for one that waits long.
  private static let delays: [Int64] = [20, 100, 1000]

  /// Sets the watch, or joins those who have it. Without a log there is nothing to watch: its creation is an event
  /// of the folder. Where no watch is left, the folder's events and the signal remain.
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

  func takeLogEvent(_ event: FolderEvent, hasEnded: Bool) {
    let concerned = logs.removeValue(forKey: event.watch) ?? []
    for store in concerned { store.logWatch = nil }
    guard event.change.contains(.modified) else { return }
    if !hasEnded { source?.unwatch(event.watch) }
    for store in concerned { armRechecks(of: store) }
  }

  /// What was written between the creation and the watch made no event.
  func logWasReplaced(of store: ObservedStore) {
    guard store.noticesForeignWriters else { return }
    forgetLog(of: store)
    watchLog(of: store)
    armRechecks(of: store)
  }

  /// Leaves the watch to its end: it comes with the file, or with the next event that concerns nobody.
  func forgetLog(of store: ObservedStore) {
    guard let watch = store.logWatch else { return }
    store.logWatch = nil
    logs[watch]?.removeAll { $0 === store }
    if logs[watch]?.isEmpty == true { logs[watch] = nil }
  }

  /// First the watch and then the look: what is written in between is an event.
  func recheckLogs(at now: Moment) {
    for store in stores {
      while let moment = store.rechecks.first, moment <= now {
        store.rechecks.removeFirst()
        watchLog(of: store)
        store.isDue = true
      }
    }
  }

  private func armRechecks(of store: ObservedStore) {
    let now = Moment.now
    store.rechecks = Self.delays.map { now.adding(milliseconds: $0) }
  }
}
