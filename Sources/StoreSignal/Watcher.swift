import Glibc
import Synchronization

/// The thread that waits for the events of every observed store of this process. It is started with the first
/// observer and sleeps without a time-out: while nothing happens, nothing runs.
package final class Watcher: Sendable {
  /// The one that owns libinotifytools, of which a process has one instance.
  package static let shared = Watcher { try InotifyTools() }

  private let makeSource: @Sendable () throws -> any FolderEventSource
  private let process = getpid()
  private let started = Mutex<WatchLoop?>(nil)

  /// - Parameter makeSource: called once, on the watcher's thread. When it throws, the watcher polls.
  package init(makeSource: @escaping @Sendable () throws -> any FolderEventSource) {
    self.makeSource = makeSource
  }

  /// How often the thread has woken up.
  package var wakeUps: Int { started.withLock { $0 }?.wakeUps ?? 0 }

  /// See `CommitSignal.observe`.
  package func observe(
    storePath: String, noticesForeignWriters: Bool = true, onChange: @escaping @Sendable () -> Void
  ) throws -> SignalObservation {
    guard getpid() == process else {
      throw SignalError(
        .inheritedByFork,
        "cannot observe '\(storePath)' in the child of a fork: the watcher's thread stayed in process \(process); "
          + "start a new program (exec) and open the store there")
    }
    let store = try ObservedStore(
      storePath: storePath, noticesForeignWriters: noticesForeignWriters, onChange: onChange)
    let loop = try startedLoop()
    loop.performAndWait { $0.add(store) }
    return SignalObservation(store: store, watcher: self)
  }

  /// Gives up the store's watches, a little later. In the child of a fork they are the parent's: nothing is done.
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
