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

  /// One of this process's own transactions.
  private enum Own {
    /// COMMIT has not returned, but others may see the transaction by now.
    case pending
    case committed(ObjectIDChanges, origin: ObjectIdentifier?)
  }

  private struct State {
    /// The newest delivered transaction.
    var seen: Int64
    /// False while the history could not be read yet, so that the position to continue from is unknown.
    var hasStarted = false
    var own: [Int64: Own] = [:]
    var reading = Reading.idle
    var isListening = false
    /// The store's number of others' commits before the last read that delivered everything; nil before the first.
    var othersRead: Int?
    /// Whether the warning that nothing can be read any more was printed.
    var isLost = false
    /// Tells others how far this process has come; nil while it does not listen, or if the registry cannot be written.
    var reader: (any HistoryReader)?

    /// Delivers the own transactions that come next, without reading them.
    /// - Returns: the number of the last one; nil if none comes next.
    mutating func deliverOwn(to delivery: inout Delivery) -> Int64? {
      var last: Int64?
      while case .committed(let changes, let origin)? = own[seen + 1] {
        own.removeValue(forKey: seen + 1)
        seen += 1
        delivery.deliver(changes, except: origin)
        last = seen
      }
      if let last { advance(to: last) }
      return last
    }

    /// Whether all transactions up to a number that are not delivered yet are own ones.
    func ownsAll(upTo number: Int64) -> Bool {
      var next = seen + 1
      while next <= number, own[next] != nil { next += 1 }
      return next > number
    }

    /// Advances to a delivered transaction.
    mutating func advance(to number: Int64) {
      seen = number
      // An outdated position only delays other processes' purges.
      try? reader?.move(to: HistoryPosition(number: number))
    }
  }

  /// Whether the history is being read, and whether another read was requested during this one.
  private enum Reading { case idle, running, runningAndRequested }

  /// The notifications for the program.
  private struct Announcements {
    /// The newest transaction to post.
    var waiting: Int64?
    var posted: Int64?
    var isPosting = false

    /// - Returns: nil at the end, after which another thread may post.
    mutating func next() -> Int64? {
      guard let number = waiting else {
        isPosting = false
        return nil
      }
      (waiting, posted) = (nil, number)
      return number
    }
  }

  private enum Watching {
    case not
    /// Failed, for example because the process is out of descriptors.
    case refused
    case watched(any SignalObservation)
    case ended
  }

  private let state: Mutex<State>
  private let store: any HistoryKeeping
  private let url: URL?
  private let signal: any CommitSignal
  private let queue = DispatchQueue(label: "NSPersistentStore history", qos: .userInitiated)
  private let watching = Mutex(Watching.not)
  private var reference: LivingReference<NSPersistentStoreCoordinator>?
  private var coordinator: NSPersistentStoreCoordinator? { reference?.object }
  private var postsRemoteChanges = false
  private let announcements = Mutex(Announcements())
  private let signalWarning = SignalWarning()
  private let registrationWarning = RepeatedWarning()

  /// The maximum number of transactions that one read of the history returns.
  private static let readLimit = 1_000

  init(of store: any HistoryKeeping, at url: URL?) {
    (self.store, self.url, signal) = (store, url, store.signal)
    state = Mutex(State(seen: 0))
  }

  /// The coordinator of a delivery, and the contexts that it delivered to.
  private struct Delivery {
    let coordinator: NSPersistentStoreCoordinator?
    private var contexts: [[NSManagedObjectContext]] = []

    init(by coordinator: NSPersistentStoreCoordinator?) { self.coordinator = coordinator }

    mutating func deliver(_ changes: @autoclosure () -> ObjectIDChanges, except origin: ObjectIdentifier?) {
      if let coordinator { contexts.append(coordinator.deliver(changes(), except: origin)) }
    }

    mutating func deliverUnknown() {
      if let coordinator { contexts.append(coordinator.deliverUnknown()) }
    }
  }

  /// Runs `body`, which delivers changes, under the lock of `state`. The coordinator and the contexts are released after
  /// the lock: the coordinator's deinitializer takes it, and a context's may run any code.
  private func delivering<Result: Sendable>(_ body: (inout State, inout Delivery) -> Result) -> Result {
    var delivery = Delivery(by: coordinator)
    defer { withExtendedLifetime(delivery) {} }
    return state.withLock { body(&$0, &delivery) }
  }

  /// Notes the current position in the history. Later commits by others are delivered once the store is watched.
  func start(for coordinator: NSPersistentStoreCoordinator, postsRemoteChanges: Bool) {
    reference = coordinator.reference
    self.postsRemoteChanges = postsRemoteChanges
    store.observer = self
    // If the history cannot be read now, the first successful read starts.
    if let newest = try? store.startFollowing() { state.withLock { ($0.seen, $0.hasStarted) = (newest, true) } }
    if postsRemoteChanges { watch() }
  }

  private var storeDescription: String { url?.shown ?? store.identifier }

  /// The number of the newest delivered transaction.
  var seen: Int64 { state.withLock { $0.seen } }

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
    let position = state.withLock { $0.isListening && $0.reader == nil ? $0.seen : nil }
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
      if state.isListening, state.reader == nil { state.reader = reader } else { reader.end() }
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
      state.reader?.end()
      state.reader = nil
    }
  }

  // MARK: Own commits

  func willCommit(transaction: Int64) { state.withLock { $0.own[transaction] = .pending } }

  func didNotCommit(transaction: Int64) { _ = state.withLock { $0.own.removeValue(forKey: transaction) } }

  /// A read may have stopped before that transaction, as `committed` would deliver it.
  func mayHaveCommitted() { requestRead() }

  /// Delivers a commit of this process, and signals the others; COMMIT has returned (invariant 2).
  func committed(_ number: Int64, changing changes: ObjectIDChanges, origin: ObjectIdentifier?) {
    let (last, isMissingOthers) = delivering { state, delivery in
      // If a gap in the history was passed over, everything is reread already.
      state.own[number] = state.seen < number ? .committed(changes, origin: origin) : nil
      let last = state.deliverOwn(to: &delivery)
      return (last, !state.ownsAll(upTo: number))
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
      while last != seen, (try? startIfNeeded()) != nil {
        let start = seen
        guard let batch = try? store.nextTransactions(after: start, limit: Self.readLimit) else { break }
        deliverInOrder(batch, after: start)
        last = start
      }
      store.historyReaders.flush()
    }
  }

  // MARK: Reading the history

  /// Reads the history after a signal, unless it can only be one of this process's own: `committed` delivers what that is about.
  private func signaled() {
    if !isUpToDate { requestRead() }
  }

  /// Whether all commits since the last read of the history are this store's own.
  private var isUpToDate: Bool {
    store.checkFileLocation()
    guard let origin = store.commitOrigin, origin.isNewestOwn else { return false }
    return state.withLock { state in
      state.hasStarted && !state.isLost && state.reader != nil && state.othersRead == origin.others
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
      let (seen, others) = (seen, store.commitOrigin?.others)
      let batch = try store.nextTransactions(after: seen, limit: Self.readLimit)
      let isDelivered = deliverInOrder(batch, after: seen)
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
    guard state.withLock({ !$0.hasStarted }) else { return }
    let newest = try store.startFollowing()
    delivering { state, delivery in
      state.hasStarted = true
      state.advance(to: newest)
      state.own = state.own.filter { $0.key > newest }
      delivery.deliverUnknown()
    }
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

  /// Delivers transactions in order, stopping at one of our own whose COMMIT has not returned: `committed` will deliver
  /// that one. The sqlite3 shell leaves no history (invariant 4): contexts then compare what they have with the store.
  /// - Returns: whether all of them are delivered.
  @discardableResult
  private func deliverInOrder(_ batch: HistoryBatch, after seen: Int64) -> Bool {
    let (last, isDelivered): (Int64?, Bool) = delivering { state, delivery in
      var last: Int64?
      state.isLost = false
      if let end = batch.gapEnd, state.seen == seen {
        // The missing transactions may have changed anything.
        state.advance(to: end)
        state.own = state.own.filter { $0.key > state.seen }
        delivery.deliverUnknown()
        last = state.seen
      }
      reading: for transaction in batch.transactions where transaction.number > state.seen {
        switch state.own[transaction.number] {
        case .pending: break reading
        case .committed(let changes, let origin): delivery.deliver(changes, except: origin)
        case nil where transaction.isOwn: break reading
        case nil: delivery.deliver(ObjectIDChanges(of: transaction), except: nil)
        }
        state.own.removeValue(forKey: transaction.number)
        state.seen = transaction.number
        last = transaction.number
      }
      if let last { state.advance(to: last) }
      return (last, batch.transactions.last.map { $0.number <= state.seen } ?? true)
    }
    if batch.hasForeignCommit { _ = coordinator?.deliverUnknown() }
    if last != nil || batch.hasForeignCommit { announce(last ?? self.seen) }
    return isDelivered
  }

  /// Posts `.NSPersistentStoreRemoteChange` for everything up to a transaction.
  /// Posts a notification of the newest delivered transaction. One thread posts at a time, also for the others, so that no older
  /// transaction follows a newer one.
  private func announce(_ number: Int64) {
    guard postsRemoteChanges else { return }
    let seen = seen
    let isPoster = announcements.withLock { announcements in
      // Threads of one group of commits wake in any order. The history of another store may have lower numbers.
      if let posted = announcements.posted, number < posted, posted <= seen { return false }
      announcements.waiting = max(announcements.waiting ?? number, number)
      defer { announcements.isPosting = true }
      return !announcements.isPosting
    }
    guard isPoster else { return }
    while let number = announcements.withLock({ $0.next() }) { post(number) }
  }

  private func post(_ number: Int64) {
    let position = HistoryPosition(number: number)
    coordinator?.announceRemoteChange(
      of: store.identifier, at: url, token: NSPersistentHistoryToken([store.identifier: position]))
  }
}

extension ObjectIDChanges {
  init(of transaction: HistoryTransaction) {
    self.init()
    for change in transaction.changes {
      switch change.kind {
      case .insert: inserted.append(change.id)
      case .update: updated.append(change.id)
      case .delete: deleted.append(change.id)
      }
    }
  }
}
