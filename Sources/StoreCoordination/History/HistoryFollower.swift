import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import Synchronization

/// Reads the transactions of a store as they are committed, in order and each once, including those of this process.
///
/// ```swift
/// let follower = try HistoryFollower(of: store, name: "indexer")
/// for try await transaction in follower.transactions
/// where transaction.author != "indexer" {
///   try await index.update(transaction.changes ?? [])
/// }
/// ```
///
/// This is an addition to Apple's API, where a program reads the history after its token whenever
/// `.NSPersistentStoreRemoteChange` is posted. A follower does that for you: it wakes when any process commits, keeps
/// its position, and protects transactions that it has not read from being purged. To show what others save,
/// `automaticallyMergesChangesFromParent` is enough.
///
/// A named follower resumes from its position in a later process. A transaction is completed when the next one is
/// requested, and the position is stored at that moment: in `<store>-readers`, or on the server. A process that is
/// killed in between receives that transaction again, and no other. Any thread may use a follower, but only one loop at
/// a time.
public final class HistoryFollower: Sendable {
  /// The store that is followed.
  public let store: NSPersistentStore
  /// The name under which the position is stored; nil if it is not stored.
  public let name: String?

  private let coordinator: NSPersistentStoreCoordinator
  private let backEnd: any HistoryKeeping
  private let state: Mutex<State>
  private let observation = Mutex<(any SignalObservation)?>(nil)

  fileprivate struct State {
    var position: HistoryPosition
    /// nil if the registry of readers cannot be written, and after the follower has ended.
    var reader: (any HistoryReader)?
    let isNamed: Bool
    /// Read and not handed out yet.
    var waiting: ArraySlice<HistoryRecord> = []
    /// Handed out and not done with yet.
    var given: HistoryTransaction?
    var isWoken = false
    var isEnded = false
    var sleeper: CheckedContinuation<Void, Never>?
  }

  /// The number of transactions in one read.
  private static let readLimit = 100

  /// Starts following a store of a coordinator.
  /// - Parameters:
  ///   - store: the store.
  ///   - name: the name under which the position is stored for later processes: 1 to 80 bytes. It delays purges for a
  ///     week after it last moved, and may be forgotten then once there are 64 readers.
  ///   - token: the position to start after; nil for the beginning of the history. A position that is stored under the
  ///     name takes precedence.
  /// - Throws: `CocoaError` 134091 for a store without a history, 134090 if a running follower has the same name,
  ///   134301 for a token of other stores, 256…640 if the position cannot be stored.
  public init(of store: NSPersistentStore, name: String? = nil, after token: NSPersistentHistoryToken? = nil) throws {
    guard let coordinator = store.persistentStoreCoordinator, store.commitMonitor != nil,
      let backEnd = store.backEnd.historyKeeping
    else {
      throw CocoaError.coreData(
        .unsupported,
        "The store '\(store.url?.shown ?? store.type)' has no history to follow: open it in a coordinator, as a SQLite "
          + "store with NSPersistentHistoryTrackingKey.")
    }
    (self.store, self.name, self.coordinator, self.backEnd) = (store, name, coordinator, backEnd)
    let readers = backEnd.historyReaders
    let first = { () throws -> HistoryPosition in
      guard let token else {
        return HistoryPosition(number: try backEnd.oldestTransaction().addingCapped(-1))
      }
      guard let position = token.positions[backEnd.identifier] else {
        throw store.expired(token, because: "has no place in it")
      }
      return position
    }
    let opened: State = try storeErrors {
      if let name {
        let reader = try readers.register(name: name, at: first)
        return State(position: reader.position, reader: reader, isNamed: true)
      }
      var position: HistoryPosition?
      let reader = try? readers.register {
        let found = try first()
        position = found
        return found
      }
      return State(position: try position ?? first(), reader: reader, isNamed: false)
    }
    state = Mutex(opened)
  }

  deinit { end() }

  /// The position after the last completed transaction.
  public var token: NSPersistentHistoryToken {
    NSPersistentHistoryToken([backEnd.identifier: state.withLock { $0.position }])
  }

  /// Continues from another position: for example, after error 134301, from
  /// `currentPersistentHistoryToken(fromStores:)` once everything was read again.
  /// - Throws: `CocoaError` 134301 for a token of other stores, 256…640 if the position cannot be stored.
  public func move(to token: NSPersistentHistoryToken) throws {
    guard let position = token.positions[backEnd.identifier] else {
      throw store.expired(token, because: "has no place in it")
    }
    try storeErrors {
      try state.withLock { state in
        (state.waiting, state.given) = ([], nil)
        try state.move(to: position)
      }
    }
  }

  /// Passes the transactions that have not been completed to a closure, one by one, and returns when there are no more.
  ///
  /// Each is completed when `body` returns. If `body` throws, its transaction is passed again the next time.
  ///
  /// ```swift
  /// let follower = try HistoryFollower(of: store, name: "nightly")
  /// let count = try follower.catchUp { transaction in
  ///   print(transaction.author ?? "unknown", transaction.changes?.count ?? 0)
  /// }  // A transaction whose block throws comes again the next time.
  /// ```
  /// - Returns: the number of transactions.
  /// - Throws: the error of `body`; `CocoaError` 134301 if required transactions were purged, or the store was replaced
  ///   with an older copy; file system errors.
  @discardableResult
  public func catchUp(_ body: (NSPersistentHistoryTransaction) throws -> Void) throws -> Int {
    var count = 0
    unread()
    while let transaction = try next() {
      do {
        try body(transaction)
      } catch {
        unread()
        throw error
      }
      count += 1
    }
    return count
  }

  /// The transactions, including future ones: the loop sleeps until the next commit. It ends when its task is canceled
  /// or the follower ends, and throws the errors of `catchUp(_:)`.
  public var transactions: Transactions { Transactions(follower: self) }

  /// Ends the loop and no longer delays a purge. A stored position remains.
  public func end() {
    observation.withLock { watch in
      watch?.cancel()
      watch = nil
    }
    let sleeper = state.withLock { state in
      state.isEnded = true
      state.reader?.end()
      state.reader = nil
      defer { state.sleeper = nil }
      return state.sleeper
    }
    sleeper?.resume()
  }

  // MARK: One after the other

  /// The next transaction, after noting that the previous one is done with. nil if there is none, or the follower has
  /// ended.
  func next() throws -> NSPersistentHistoryTransaction? {
    try storeErrors {
      if let known = try step() { return known }
      let position = state.withLock { $0.position }
      let range = try backEnd.history(HistoryQuery(after: position.number, limit: Self.readLimit))
      try store.check(position, in: range)
      let records = range.transactions.map {
        HistoryRecord($0, hasChanges: true, of: store.storeIdentity, coordinator.managedObjectModel)
      }
      state.withLock { if !$0.isEnded { $0.waiting = records[...] } }
      return try step()
    }
  }

  private func step() throws -> NSPersistentHistoryTransaction? {
    try state.withLock { state -> NSPersistentHistoryTransaction? in
      guard !state.isEnded else { return nil }
      if let done = state.given {
        try state.move(to: HistoryPosition(number: done.number, time: done.timestamp))
        state.given = nil
      }
      guard let record = state.waiting.popFirst() else { return nil }
      state.given = record.transaction
      return NSPersistentHistoryTransaction(record)
    }
  }

  /// Returns a transaction that was not done with, so that it comes again.
  private func unread() {
    state.withLock { state in
      if state.given != nil { (state.given, state.waiting) = (nil, []) }
    }
  }

  // MARK: Sleep

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Called when a loop begins.
  func begin() { unread() }

  /// Starts watching the store when there is nothing left to read for the first time. Returns whether the watch is new:
  /// then the history must be read once more.
  func watch() throws -> Bool {
    try observation.withLock { watch in
      guard watch == nil, !isEnded else { return false }
      do {
        watch = try backEnd.signal.observe { [weak self] in self?.wake() }
      } catch {
        throw CocoaError.coreData(
          .open, "Cannot watch '\(store.url?.shown ?? store.type)' for commits of other processes: \(error)",
          cause: error)
      }
      return true
    }
  }

  private func wake() {
    let sleeper = state.withLock { state in
      state.isWoken = state.sleeper == nil
      defer { state.sleeper = nil }
      return state.sleeper
    }
    sleeper?.resume()
  }

  /// Sleeps until there may be a commit, the follower ends, or the task is canceled.
  func sleep() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isAwake = state.withLock { state in
          if state.isWoken || state.isEnded || Task.isCancelled {
            state.isWoken = false
            return true
          }
          state.sleeper = continuation
          return false
        }
        if isAwake { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
  }
}

extension HistoryFollower.State {
  fileprivate mutating func move(to position: HistoryPosition) throws {
    // A position that is not looked up again may fail to be written.
    if isNamed { try reader?.move(to: position) } else { try? reader?.move(to: position) }
    self.position = position
  }
}
