import Foundation
import StrataObjectGraph
import StrataRowStore
import StrataSupport
import Synchronization

/// Follows the history of one store: every commit of every process reaches this coordinator's contexts once, in commit
/// order (invariant 3), and a lost signal costs only delay (invariant 4).
///
/// This process's own transactions are recognized by their numbers, noted before COMMIT, or by a mark that the back end
/// finds in the history. If such a commit is next in line it is delivered immediately; otherwise the history is read up to
/// it first, to keep the order.
final class CommitMonitor: TransactionObserver, @unchecked Sendable {
  // Sendable: what changes is in `state`, under its lock.

  private struct State {
    var history = DeliveredHistory()
    var reading = Reading.idle
    var isListening = false
    /// The store's number of others' commits before the last read that delivered everything; nil before the first.
    var othersRead: Int?
    /// Whether the warning that nothing can be read any more was printed.
    var isLost = false
  }

  /// Whether the history is being read, and whether another read was requested during this one.
  private enum Reading { case idle, running, runningAndRequested }

  private enum Watching {
    case not
    /// Failed, for example because the process is out of descriptors.
    case refused
    case watched(any SignalObservation)
    case ended
  }

  private let state = Mutex(State())
  private let store: any HistoryKeeping
  private let url: URL?
  private let signal: any CommitSignal
  private let queue = DispatchQueue(label: "NSPersistentStore history", qos: .userInitiated)
  private let watching = Mutex(Watching.not)
  private var reference: LivingReference<NSPersistentStoreCoordinator>?
  private var coordinator: NSPersistentStoreCoordinator? { reference?.object }
  private var announcements: RemoteChangeAnnouncements?
  private let signalWarning = SignalWarning()
  private let registrationWarning = RepeatedWarning()

  /// The maximum number of transactions that one read of the history returns.
  private static let readLimit = 1_000

  init(of store: any HistoryKeeping, at url: URL?) {
    (self.store, self.url, signal) = (store, url, store.signal)
  }

  /// Runs `body`, which delivers changes, under the lock of `state`. The coordinator and the contexts are released after
  /// the lock: the coordinator's deinitializer takes it, and a context's may run any code.
  private func delivering<Result: Sendable>(_ body: (inout State, inout HistoryDelivery) -> Result) -> Result {
    var delivery = HistoryDelivery(by: coordinator)
    defer { withExtendedLifetime(delivery) {} }
    return state.withLock { body(&$0, &delivery) }
  }

  /// Notes the current position in the history. Later commits by others are delivered once the store is watched.
  func start(for coordinator: NSPersistentStoreCoordinator, postsRemoteChanges: Bool) {
    reference = coordinator.reference
    if postsRemoteChanges { announcements = RemoteChangeAnnouncements(of: store.identifier, at: url) }
    store.observer = self
    // If the history cannot be read now, the first successful read starts.
    if let newest = try? store.startFollowing() { state.withLock { $0.history.start(at: newest) } }
    if postsRemoteChanges { watch() }
  }

  private var storeDescription: String { url?.shown ?? store.identifier }

  /// The number of the newest delivered transaction.
  var newestDelivered: Int64 { state.withLock { $0.history.newest } }

  /// Starts watching the store, once a context merges the commits of others: a program that only opens, reads and ends
  /// avoids the 10 to 20 ms the kernel takes to close a watch. Earlier commits are read right after, so nothing falls
  /// in between.
  ///
  /// If the watch cannot be set up, it is retried every second.
  func watch() {
    let isNew = watching.withLock { watching in
      switch watching {
      case .watched, .ended: return false
      case .not, .refused: break
      }
      do {
        watching = .watched(try signal.observe { [weak self] in self?.signaled() })
      } catch {
        if case .not = watching {
          Diagnostics.warn(
            "cannot watch '\(storeDescription)' for commits of other processes, and tries again every second: \(error)")
        }
        watching = .refused
        // Not Dispatch: its first worker and its timers need a descriptor, and end a process that has none left.
        Thread.detachNewThread { [weak self] in
          sleep(1)
          self?.watch()
        }
        return false
      }
      return true
    }
    guard isNew else { return }
    state.withLock { $0.isListening = true }
    Self.listening.insert(self)
    register()
    requestRead()
  }

  /// Registers this process, so that purges keep what it has not seen. If that fails, because the disk is full for
  /// instance, the next read of the history tries again; a purge in between is noticed.
  private func register() {
    let position = state.withLock { $0.isListening && $0.history.reader == nil ? $0.history.newest : nil }
    guard let position else { return }
    let reader: any HistoryReader
    do { reader = try store.historyReaders.register(at: { HistoryPosition(number: position) }) } catch {
      registrationWarning.warn {
        "a purge may remove what this process has not merged yet, until it can register: \(error)"
      }
      return
    }
    registrationWarning.end()
    state.withLock { state in
      if state.isListening, state.history.reader == nil { state.history.reader = reader } else { reader.end() }
    }
  }

  func stop() {
    watching.withLock { watching in
      if case .watched(let watch) = watching { watch.cancel() }
      watching = .ended
    }
    store.observer = nil
    Self.listening.remove(self)
    state.withLock { state in
      state.isListening = false
      state.history.reader?.end()
      state.history.reader = nil
    }
  }

  // MARK: Own commits

  func willCommit(transaction: Int64) { state.withLock { $0.history.noteOwn(transaction) } }

  func didNotCommit(transaction: Int64) { state.withLock { $0.history.forgetOwn(transaction) } }

  /// A read may have stopped before that transaction, as `committed` would deliver it.
  func mayHaveCommitted() { requestRead() }

  /// Delivers a commit of this process, and signals the others; COMMIT has returned (invariant 2).
  func committed(_ number: Int64, changing changes: ObjectIDChanges, origin: ObjectIdentifier?) {
    let (last, isMissingOthers) = delivering { state, delivery in
      state.history.didCommit(number, changing: changes, origin: origin, &delivery)
    }
    signalWarning.post(signal, for: storeDescription)
    if let last { announce(last) }
    if isMissingOthers { requestRead() }
  }

  // MARK: Before a purge

  /// The monitors of this process that watch their stores.
  private static let listening = WeakList<CommitMonitor>()

  /// Has every coordinator of this process that follows a store read its history to the end, so that a purge need not
  /// keep anything for them. A history that cannot be read now is kept.
  static func catchUp(withStore identifier: String) {
    for monitor in listening.objects where monitor.store.identifier == identifier { monitor.catchUp() }
  }

  private func catchUp() {
    queue.sync {
      var last: Int64?
      while last != newestDelivered, (try? startIfNeeded()) != nil {
        let start = newestDelivered
        guard let batch = try? store.nextTransactions(after: start, limit: Self.readLimit) else { break }
        deliver(batch, after: start)
        last = start
      }
      store.historyReaders.flush()
    }
  }

  // MARK: Reading the history

  /// Reads the history after a signal, unless it can only be one of this process's own: `committed` delivers what that is about.
  private func signaled() {
    store.checkFileLocation()
    if !isUpToDate { requestRead() }
  }

  /// Whether all commits since the last read of the history are this store's own.
  private var isUpToDate: Bool {
    guard let origin = store.commitOrigin, origin.isNewestOwn else { return false }
    return state.withLock { state in
      state.history.hasStarted && state.history.reader != nil && !state.isLost && state.othersRead == origin.others
    }
  }

  /// Requests a read of the history; if one is running, another follows it.
  private func requestRead() {
    let start = state.withLock { state in
      switch state.reading {
      case .idle:
        state.reading = .running
        return true
      case .running, .runningAndRequested:
        state.reading = .runningAndRequested
        return false
      }
    }
    if start { queue.async { [weak self] in self?.read(retryAfter: Self.firstRetry) } }
  }

  /// Milliseconds before a failed read is retried, doubled each time up to the maximum.
  private static let firstRetry = 1
  private static let lastRetry = 500

  private func read(retryAfter delay: Int) {
    store.checkFileLocation()
    register()
    let isFinished: Bool
    do {
      try startIfNeeded()
      let (start, others) = (newestDelivered, store.commitOrigin?.others)
      let batch = try store.nextTransactions(after: start, limit: Self.readLimit)
      let isDelivered = deliver(batch, after: start)
      isFinished = batch.transactions.count < Self.readLimit
      if isFinished, isDelivered, batch.knowsForeignCommits { state.withLock { $0.othersRead = others } }
    } catch let error as StoreError where error.code == .notOpen || error.code == .incompatibleModel {
      // The store was closed, moved away, or migrated by another process. The next caller gets the error. It may
      // be back already: a read that was requested during this one is not lost.
      warnOfLoss(error)
      return endRead(isFinished: true)
    } catch {
      // No timer, for the same reason as above; the queue has nothing else to do.
      queue.async { [weak self] in
        usleep(UInt32(delay) * 1_000)
        self?.read(retryAfter: min(delay * 2, Self.lastRetry))
      }
      return
    }
    endRead(isFinished: isFinished)
  }

  /// Says once that this process follows nothing any more: one that only shows what it has would never find out.
  private func warnOfLoss(_ error: StoreError) {
    let isNew = state.withLock { state in
      guard state.isListening, !state.isLost else { return false }
      state.isLost = true
      return true
    }
    if isNew { Diagnostics.warn("what other processes save is not followed until the store is back. \(error)") }
  }

  /// Starts from the present if the history could not be read when the store was opened: what was committed since then
  /// may have changed anything.
  private func startIfNeeded() throws {
    guard state.withLock({ !$0.history.hasStarted }) else { return }
    let newest = try store.startFollowing()
    delivering { state, delivery in state.history.skip(to: newest, &delivery) }
    announce(newest)
  }

  /// Starts the next read if one was requested during this one, or if this one did not reach the end of the history.
  private func endRead(isFinished: Bool) {
    let again = state.withLock { state in
      let again = state.reading == .runningAndRequested || !isFinished
      state.reading = again ? .running : .idle
      return again
    }
    if again { queue.async { [weak self] in self?.read(retryAfter: Self.firstRetry) } }
  }

  /// Delivers the next transactions. The sqlite3 shell leaves no history (invariant 4): contexts then compare what they have
  /// with the store.
  /// - Returns: whether all of them are delivered.
  @discardableResult
  private func deliver(_ batch: HistoryBatch, after start: Int64) -> Bool {
    let (last, isWhole) = delivering { state, delivery in
      state.isLost = false
      return state.history.deliver(batch, after: start, &delivery)
    }
    if batch.hasForeignCommit { _ = coordinator?.deliverUnknown() }
    if last != nil || batch.hasForeignCommit { announce(last ?? newestDelivered) }
    return isWhole
  }

  /// Posts `.NSPersistentStoreRemoteChange`, if the store's options request it.
  private func announce(_ number: Int64) { announcements?.post(number, delivered: newestDelivered, by: coordinator) }
}
