import Foundation
import StrataDiagnostics
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore
import StrataStoreSignal
import Synchronization

/// Follows the history of one store: every commit of every process reaches the contexts of this coordinator once, in
/// the order of the commits (invariant 3), and a lost signal costs delay alone (invariant 4).
///
/// The transactions that this process wrote are known by their numbers, which are noted before the COMMIT. Where such a
/// commit is the next in line, it is handed on at once; otherwise the history is read up to it, so that the order holds.
final class StoreFollower: TransactionObserver, @unchecked Sendable {
  // Sendable: what changes is in `state`, under its lock.

  /// A transaction of this process.
  private enum Own {
    /// Its COMMIT has not returned; it may be seen by now.
    case pending
    case committed(ObjectIDChanges, origin: ObjectIdentifier?)
  }

  private struct State {
    /// The newest transaction that was handed on.
    var seen: Int64
    var own: [Int64: Own] = [:]
    var look = Look.idle
    /// What tells others how far this process has come; nil while it does not listen, and where the file of the readers
    /// cannot be written.
    var reader: HistoryReader?

    /// Goes on to a transaction that was handed on.
    mutating func advance(to number: Int64) {
      seen = number
      // A place that is older than it could be costs others a purge that is put off, and no more.
      try? reader?.move(to: ReaderRecord.Place(number: number))
    }
  }

  private enum Look { case idle, running, runningAndWanted }

  private enum Watching {
    case not
    /// Something stood in the way, a lack of descriptors for one.
    case refused
    case watched(SignalObservation)
    case ended
  }

  private let state: Mutex<State>
  private let store: SQLStore
  /// The store's file; a URL works its path out anew each time, which takes longer than the signal.
  private let path: String
  private let looks = DispatchQueue(label: "NSPersistentStore history", qos: .userInitiated)
  private let watching = Mutex(Watching.not)
  private var reference: LivingReference<NSPersistentStoreCoordinator>?
  private var coordinator: NSPersistentStoreCoordinator? { reference?.object }
  private var postsRemoteChanges = false
  private let count = Mutex<CommitCount?>(nil)

  /// A look reads this many transactions at once.
  private static let lookLimit = 1_000

  init(of store: SQLStore) throws {
    self.store = store
    path = store.path
    state = Mutex(State(seen: 0))
  }

  /// Notes the place in the history; what others commit from here on is handed on once the store is watched.
  func start(for coordinator: NSPersistentStoreCoordinator, postsRemoteChanges: Bool) {
    reference = coordinator.reference
    self.postsRemoteChanges = postsRemoteChanges
    store.observer = self
    let newest = (try? store.newestTransaction()) ?? 0
    state.withLock { $0.seen = newest }
    count.withLock { $0 = try? store.commitCount() }
    if postsRemoteChanges { watch() }
  }

  /// The number of the newest transaction that was handed on.
  var seen: Int64 { state.withLock { $0.seen } }

  /// Watches the store, once somebody wants to hear of others: a program that opens it, reads and ends is spared the 10 to
  /// 20 ms that the kernel takes to close a watch. What was committed before is read at once, so nothing falls between.
  ///
  /// A watch that cannot be had is asked for again every second.
  func watch() {
    let isNew = watching.withLock { watching in
      switch watching {
      case .watched, .ended: return false
      case .not, .refused: break
      }
      do {
        watching = .watched(try CommitSignal.observe(storePath: path) { [weak self] in self?.wantLook() })
      } catch {
        if case .not = watching {
          Diagnostics.warn(
            "cannot watch '\(path)' for commits of other processes, and tries again every second: \(error)")
        }
        watching = .refused
        // Dispatch's first worker and its timers need a descriptor, and end a process that gets none.
        Thread.detachNewThread { [weak self] in
          sleep(1)
          self?.watch()
        }
        return false
      }
      return true
    }
    guard isNew else { return }
    state.withLock { state in
      guard state.reader == nil else { return }
      let seen = state.seen
      state.reader = try? HistoryReaders(of: store).register { seen }
    }
    wantLook()
  }

  func stop() {
    watching.withLock { watching in
      if case .watched(let watch) = watching { watch.cancel() }
      watching = .ended
    }
    store.observer = nil
    state.withLock { state in
      state.reader?.end()
      state.reader = nil
    }
  }

  // MARK: Own commits

  func willCommit(transaction: Int64) { state.withLock { $0.own[transaction] = .pending } }

  func didNotCommit(transaction: Int64) { _ = state.withLock { $0.own.removeValue(forKey: transaction) } }

  /// Hands on a commit of this process, and signals the others (invariant 2: the COMMIT has returned).
  func committed(_ number: Int64, _ changes: ObjectIDChanges, origin: ObjectIdentifier?) {
    let isNext = state.withLock { state in
      guard state.seen == number - 1 else {
        // What was passed over with a gap in the history is read anew already.
        state.own[number] = state.seen < number ? .committed(changes, origin: origin) : nil
        return false
      }
      state.own.removeValue(forKey: number)
      state.advance(to: number)
      coordinator?.deliver(changes, except: origin)
      return true
    }
    do {
      try CommitSignal.post(storePath: path)
    } catch {
      Diagnostics.warn("other processes hear late of a commit to '\(path)': \(error)")
    }
    if isNext { announce(number) } else { wantLook() }
  }

  // MARK: Looks

  /// Asks for a look; one that runs already is followed by one more.
  private func wantLook() {
    let start = state.withLock { state in
      switch state.look {
      case .idle:
        state.look = .running
        return true
      case .running, .runningAndWanted:
        state.look = .runningAndWanted
        return false
      }
    }
    if start { looks.async { [weak self] in self?.look(retryAfter: Self.firstRetry) } }
  }

  /// Milliseconds after which a look that failed is tried again, doubled each time up to the last.
  private static let firstRetry = 1
  private static let lastRetry = 500

  private func look(retryAfter delay: Int) {
    var isFinished = true
    store.checkPlace()
    do {
      let seen = seen
      let plan = HistoryQuery(after: seen, limit: Self.lookLimit, changes: .ids)
      isFinished = try handOn(store.history(plan), after: seen)
    } catch let error as StoreError where error.code == .notOpen || error.code == .incompatibleModel {
      // The store was closed, moved away, or migrated by another process: whoever asks it next is told. It may come back.
      state.withLock { $0.look = .idle }
      return
    } catch {
      // No timer, as above; the queue has nothing else to do.
      looks.async { [weak self] in
        usleep(UInt32(delay) * 1_000)
        self?.look(retryAfter: min(delay * 2, Self.lastRetry))
      }
      return
    }
    if isFinished { noticeForeignWriters() }
    let again = state.withLock { state in
      let again = state.look == .runningAndWanted || !isFinished
      state.look = again ? .running : .idle
      return again
    }
    if again { looks.async { [weak self] in self?.look(retryAfter: Self.firstRetry) } }
  }

  /// Hands transactions on in their order, up to one of our own whose COMMIT has not returned: that one will hand itself
  /// on. Answers whether there was nothing more to read.
  private func handOn(_ stretch: HistoryStretch, after seen: Int64) throws -> Bool {
    let transactions = stretch.transactions
    // A coordinator that ended under the lock would ask for it again.
    let coordinator = coordinator
    defer { withExtendedLifetime(coordinator) {} }
    var last: Int64?
    state.withLock { state in
      if stretch.lacksPart(after: seen), state.seen == seen {
        // What is not known any more can be anything.
        state.advance(to: min(stretch.oldest.addingCapped(-1), stretch.newest))
        state.own = state.own.filter { $0.key > state.seen }
        coordinator?.deliverUnknown()
        last = state.seen
      }
      for transaction in transactions where transaction.number > state.seen {
        switch state.own[transaction.number] {
        case .pending: return
        case .committed(let changes, let origin): coordinator?.deliver(changes, except: origin)
        case nil: coordinator?.deliver(ObjectIDChanges(of: transaction), except: nil)
        }
        state.own.removeValue(forKey: transaction.number)
        state.seen = transaction.number
        last = transaction.number
      }
      if let last { state.advance(to: last) }
    }
    if let last { announce(last) }
    return transactions.count < Self.lookLimit
  }

  /// Who writes with the sqlite3 shell leaves no history (invariant 4): the contexts compare what they have.
  private func noticeForeignWriters() {
    guard var now = (try? store.commitCount()) ?? nil else { return }
    let isForeign = count.withLock { count in
      defer { count = now }
      return count.map { now.goOn(from: $0) } ?? false
    }
    guard isForeign else { return }
    coordinator?.deliverUnknown()
    announce(state.withLock { $0.seen })
  }

  /// Posts `.NSPersistentStoreRemoteChange` for everything up to a transaction.
  private func announce(_ number: Int64) {
    guard postsRemoteChanges else { return }
    let place = NSPersistentHistoryToken.Place(number: number)
    coordinator?.announce(store, token: NSPersistentHistoryToken([store.identifier: place]))
  }
}

extension ObjectIDChanges {
  /// What a transaction changed.
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
