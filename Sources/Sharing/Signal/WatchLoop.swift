import Dispatch
import Glibc
import StrataSupport
import Synchronization

/// The watcher thread's loop: sleep, drain events, serve requests, check timers, call handlers.
///
/// @unchecked: its `var`s are used only on its own thread; requests arrive through a locked queue.
final class WatchLoop: @unchecked Sendable {
  typealias Request = @Sendable (WatchLoop) -> Void

  /// nil until first needed, and if it could not be opened: `pollingReason` then says why.
  var source: (any FolderEventSource)?
  var pollingReason: String?
  var stores: [ObservedStore] = []
  /// The stores that depend on each folder watch, and on each WAL watch.
  var folders: [Int32: [ObservedStore]] = [:]
  var logs: [Int32: [ObservedStore]] = [:]
  /// When to remove the watch of each folder that is no longer observed.
  var expiring: [Int32: MonotonicTime] = [:]

  private let makeSource: @Sendable () throws -> any FolderEventSource
  /// Wakes the thread for a request.
  private let wakeup: WakeupPipe
  private let requests = Mutex<[Request]>([])
  /// The last two times that events woke the thread.
  private var lastEvents = (before: MonotonicTime(nanoseconds: 0), newest: MonotonicTime(nanoseconds: 0))
  private let thread = Atomic<UInt>(0)
  private let wakeUpCount = Atomic<Int>(0)

  init(makeSource: @escaping @Sendable () throws -> any FolderEventSource) throws {
    self.makeSource = makeSource
    wakeup = try WakeupPipe()
  }

  var wakeUps: Int { wakeUpCount.load(ordering: .relaxed) }

  /// Starts the thread, which keeps the loop alive for the rest of the process.
  func start() throws {
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { loop in
        guard let loop else { return nil }
        Unmanaged<WatchLoop>.fromOpaque(loop).takeRetainedValue().run()
      },
      Unmanaged.passRetained(self).toOpaque())
    guard code == 0 else {
      Unmanaged.passUnretained(self).release()
      throw SignalError.system(code, what: "start the watcher's thread")
    }
    pthread_detach(thread)
  }

  // MARK: - From other threads

  func perform(_ request: @escaping Request) {
    requests.withLock { $0.append(request) }
    wakeup.signal()
  }

  /// Performs a request and waits for it; called from a handler, on the loop's own thread, it runs immediately.
  func performAndWait(_ request: @escaping Request) {
    if thread.load(ordering: .acquiring) == UInt(pthread_self()) { return request(self) }
    let done = DispatchSemaphore(value: 0)
    perform { loop in
      request(loop)
      done.signal()
    }
    done.wait()
  }

  // MARK: - On the thread

  private func run() -> Never {
    thread.store(UInt(pthread_self()), ordering: .releasing)
    Self.nameThread("store-signal")
    // Signals are for the program's own threads.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    while true {
      sleep()
      drainEvents()
      serveRequests()
      let now = MonotonicTime.now
      recheckLogs(at: now)
      pollFiles(at: now)
      expireWatches(at: now)
      callHandlers()
    }
  }

  /// Names the thread for `top`, debuggers and tests.
  private static func nameThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = write(file, name, name.utf8.count)
    close(file)
  }

  private func sleep() {
    if throttle() { return }
    let now = MonotonicTime.now
    let deadline = (stores.lazy.compactMap(\.nextDeadline) + expiring.values).min()
    let timeout = deadline.map { $0.milliseconds(from: now) } ?? -1
    var ready = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
    if let source { ready.append(pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)) }
    wait(for: &ready, timeout)
    if ready.count > 1, ready[1].revents != 0 { lastEvents = (lastEvents.newest, .now) }
  }

  /// The milliseconds from one wake-up to the next while many signals come: the longest that a commit may wait.
  private static let pause: Int64 = 3
  /// Signals that are farther apart, in milliseconds, wake the thread immediately, such as those of 300 commits a second.
  private static let burstGap: Int64 = 2

  /// Waits until the pause has passed since the last wake-up, if that came shortly after another one, or after a pause: a
  /// process that saves in a loop would otherwise wake this thread for every save, and make it read the history as often.
  /// - Returns: whether a request ended the delay. Nothing else will wake the thread for it.
  private func throttle() -> Bool {
    let end = lastEvents.newest.adding(milliseconds: Self.pause)
    guard lastEvents.newest < lastEvents.before.adding(milliseconds: Self.burstGap) else { return false }
    let rest = end.milliseconds(from: .now)
    guard rest > 0 else { return false }
    var requests = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
    // The signals of the pause are read at its end, and are not far apart from those after it.
    defer { lastEvents.newest = .now }
    return wait(for: &requests, rest)
  }

  /// - Parameter descriptors: the first is the one that wakes the thread for requests.
  /// - Returns: whether it did.
  @discardableResult
  private func wait(for descriptors: inout [pollfd], _ milliseconds: Int32) -> Bool {
    _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    wakeUpCount.add(1, ordering: .relaxed)
    guard descriptors[0].revents != 0 else { return false }
    wakeup.drain()
    return true
  }

  private func serveRequests() {
    let waiting = requests.withLock { queue in
      defer { queue = [] }
      return queue
    }
    for request in waiting { request(self) }
  }

  private func callHandlers() {
    for store in stores where store.isDue {
      store.isDue = false
      if !store.hasEnded { store.onChange() }
    }
  }

  /// Opens the source on first use. A failure is final: the library cannot be initialized again.
  func openedSource() -> (any FolderEventSource)? {
    guard source == nil, pollingReason == nil else { return source }
    do { source = try makeSource() } catch { stopWatching(because: error) }
    return source
  }

  /// Switches all stores to polling. Warns, because that costs 4 wake-ups a second and up to 250 ms of delay.
  func stopWatching(because error: any Error) {
    source = nil
    pollingReason = "\(error)"
    Diagnostics.warn("stores are checked every 250 ms instead of being watched: \(error)")
    folders = [:]
    logs = [:]
    expiring = [:]
    for store in stores {
      store.folderWatch = nil
      store.logWatch = nil
      store.rechecks = []
      startPolling(store, because: error)
      store.isDue = true
    }
  }
}
