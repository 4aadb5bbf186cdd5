/// Folder watches and the handling of their events.
extension WatchLoop {
  func add(_ store: ObservedStore) {
    stores.append(store)
    attach(store)
  }

  func remove(_ store: ObservedStore) {
    stores.removeAll { $0 === store }
    forgetLog(of: store)
    guard let watch = store.folderWatch else { return }
    store.folderWatch = nil
    folders[watch]?.removeAll { $0 === store }
    // A program that closes a store may delete its folder next, and the library would report the ended watch.
    if folders[watch]?.isEmpty == true { expiring[watch] = MonotonicTime.now.adding(milliseconds: 1000) }
  }

  /// Removes the watches of folders that are no longer observed.
  func expireWatches(at now: MonotonicTime) {
    for (watch, deadline) in expiring where deadline <= now {
      expiring[watch] = nil
      guard folders[watch]?.isEmpty == true else { continue }
      folders[watch] = nil
      source?.unwatch(watch)
    }
  }

  /// Watches the store's folder, sharing an existing watch; polls the store if that fails.
  func attach(_ store: ObservedStore) {
    guard let source = openedSource() else {
      return startPolling(store, because: pollingReason ?? "inotify is not available")
    }
    do {
      let known = folders.first { $0.value.first?.folder == store.folder }?.key
      let watch = try known ?? source.watch(.folder, folder: store.folder, name: "", for: .ofFolders)
      folders[watch, default: []].append(store)
      store.folderWatch = watch
      stopPolling(store)
      watchLog(of: store)
    } catch {
      startPolling(store, because: error)
    }
  }

  /// Drains all pending events before any handler is called, so that a burst causes one call.
  func drainEvents() {
    guard let source else { return }
    do {
      var endsWatches = true
      while endsWatches {
        var batch: [FolderEvent] = []
        while let event = try source.next() { batch.append(event) }
        // The end of a watch is an event in turn, which would wake the thread once more.
        endsWatches = batch.contains { folders[$0.watch] == nil }
        // Watches that ended within the batch must not be removed explicitly.
        let ended = Set(batch.lazy.filter { $0.change.contains(.watchEnded) }.map(\.watch))
        for event in batch { handle(event, ended: ended) }
      }
    } catch {
      stopWatching(because: error)
    }
  }

  private func handle(_ event: FolderEvent, ended: Set<Int32>) {
    if event.change.contains(.overflowed) { return reopenAll() }
    if let concerned = folders[event.watch] {
      handleFolderEvent(event, of: concerned)
    } else if logs[event.watch] != nil {
      handleLogEvent(event, hasEnded: ended.contains(event.watch))
    } else if !ended.contains(event.watch) {
      // A watch of a folder or WAL that was moved away, or an event queued before the watch was removed.
      source?.unwatch(event.watch)
    }
  }

  private func handleFolderEvent(_ event: FolderEvent, of concerned: [ObservedStore]) {
    if event.change.contains(.watchEnded) {
      reopen(event.watch)
    } else if event.change.contains(.folderMoved) {
      source?.unwatch(event.watch)
      reopen(event.watch)
    }
    for store in concerned where store.isConcerned(by: event.change, of: event.name) {
      store.isDue = true
      if event.name == store.logName, !event.change.isDisjoint(with: [.created, .movedTo]) {
        logWasReplaced(of: store)
      } else if event.name == store.notifyName {
        wasSignaled(store)
      }
    }
  }

  /// The folder moved or disappeared: watches its path again, and tells all observers to read the history.
  private func reopen(_ watch: Int32) {
    for store in folders.removeValue(forKey: watch) ?? [] {
      forgetLog(of: store)
      store.folderWatch = nil
      attach(store)
      store.isDue = true
    }
  }

  /// Events were lost, perhaps one that ended a watch. Watching again returns the same number if the watch still
  /// exists.
  private func reopenAll() {
    let all = folders.values.joined()
    folders = [:]
    for store in all {
      forgetLog(of: store)
      store.folderWatch = nil
      attach(store)
      store.isDue = true
    }
  }
}
