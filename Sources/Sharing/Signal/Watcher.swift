import Glibc
import Synchronization

/// The thread that receives the events of every observed store of this process. It starts with the first observer and
/// blocks without a time-out, so it never wakes while nothing happens.
package final class Watcher: Sendable {
  /// The watcher of this process's stores. libinotifytools, if this package is built with it, supports one instance per
  /// process.
  package static let shared = Watcher {
    #if InotifyTools
    try InotifyTools()
    #else
    try Inotify()
    #endif
  }

  private let makeSource: @Sendable () throws -> any FolderEventSource
  private let process = getpid()
  private let started = Mutex<WatchLoop?>(nil)

  /// - Parameter makeSource: called once, on the watcher's thread. If it throws, the watcher polls.
  package init(makeSource: @escaping @Sendable () throws -> any FolderEventSource) {
    self.makeSource = makeSource
  }

  /// The number of times that the thread has woken up.
  package var wakeUps: Int { started.withLock { $0 }?.wakeUps ?? 0 }

  /// See `FileSignal.observe`.
  package func observe(
    storePath: String, noticesForeignWriters: Bool = true, onChange: @escaping @Sendable () -> Void
  ) throws -> FileSignalObservation {
    guard getpid() == process else {
      throw SignalError(
        .inheritedByFork,
        message:
          "cannot observe '\(storePath)' in the child of a fork: the watcher's thread stayed in process \(process); "
          + "start a new program (exec) and open the store there")
    }
    let store = try ObservedStore(
      storePath: storePath, noticesForeignWriters: noticesForeignWriters, onChange: onChange)
    let loop = try startedLoop()
    loop.performAndWait { $0.add(store) }
    return FileSignalObservation(store: store, watcher: self)
  }

  /// Stops observing a store, asynchronously. A no-op in the child of a fork, where the watches belong to the parent.
  func forget(_ store: ObservedStore) {
    guard getpid() == process, let loop = started.withLock({ $0 }) else { return }
    loop.perform { $0.remove(store) }
  }

  private func startedLoop() throws -> WatchLoop {
    try started.withLock { loop in
      if let loop { return loop }
      let new = try WatchLoop(makeSource: makeSource)
      try new.start()
      loop = new
      return new
    }
  }
}
