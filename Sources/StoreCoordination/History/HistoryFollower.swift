import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore
import StrataStoreSignal
import Synchronization

/// Reads the transactions of a store as they come, those of this process too: in the order of the commits, each once.
///
/// This is not Apple's: there a program reads the history after its token whenever `.NSPersistentStoreRemoteChange` is
/// posted. A follower does that, and what belongs to it: it wakes when somebody commits, in this process or another, keeps
/// its place, and holds a purge back from what it has yet to read. A context that is only to show what others save needs
/// none: `automaticallyMergesChangesFromParent` does.
///
/// ```swift
/// let follower = try HistoryFollower(of: store, name: "indexer")
/// for try await transaction in follower.transactions where transaction.author != "indexer" {
///   try index.update(transaction.changes ?? [])
/// }
/// ```
///
/// A follower with a name finds its place again in a later process. A transaction is done with when the next is asked
/// for, and the place is remembered at that moment, in `<store>-readers`: who is killed in between gets the transaction
/// once more, and who finishes with it never does. Any thread may use a follower; one loop at a time.
public final class HistoryFollower: Sendable {
  /// The store that is followed.
  public let store: NSPersistentStore
  /// Under which the place is remembered; nil if it is not.
  public let name: String?

  private let coordinator: NSPersistentStoreCoordinator
  private let backEnd: SQLStore
  private let readers: HistoryReaders
  private let state: Mutex<State>
  private let observation = Mutex<SignalObservation?>(nil)

  fileprivate struct State {
    var place: NSPersistentHistoryToken.Place
    /// nil where the file of the readers cannot be written, and once the follower has ended.
    var reader: HistoryReader?
    /// What was read and has not been handed out.
    var waiting: ArraySlice<HistoryRecord> = []
    /// What was handed out and is not done with.
    var given: HistoryTransaction?
    var isWoken = false
    var isEnded = false
    var sleeper: CheckedContinuation<Void, Never>?
  }

  /// So many transactions are read at once.
  private static let stretch = 100

  /// Begins to follow a store of a coordinator.
  /// - Parameters:
  ///   - name: under which the place is remembered for later processes, for a week after it last moved: 1 to 80 bytes.
  ///   - token: after which the first transaction comes; nil is the beginning of the history that is there. A place that
  ///     is remembered under the name goes before it.
  /// - Throws: `CocoaError` 134091 for a store without a history, 134090 if somebody else follows under the name, 134301
  ///   for a token of other stores, 256…640 if a place cannot be remembered.
  public init(of store: NSPersistentStore, name: String? = nil, after token: NSPersistentHistoryToken? = nil) throws {
    guard let coordinator = store.persistentStoreCoordinator, store.follower != nil,
      let backEnd = store.backEnd as? SQLStore
    else {
      throw CocoaError.coreData(
        .unsupported,
        "The store '\(store.url?.path ?? store.type)' has no history to follow: open it in a coordinator, as a SQLite "
          + "store with NSPersistentHistoryTrackingKey.")
    }
    (self.store, self.name, self.coordinator, self.backEnd) = (store, name, coordinator, backEnd)
    let readers = HistoryReaders(of: backEnd)
    self.readers = readers
    let first = { () throws -> NSPersistentHistoryToken.Place in
      guard let token else {
        return NSPersistentHistoryToken.Place(number: try backEnd.oldestTransaction().addingCapped(-1))
      }
      guard let place = token.places[backEnd.identifier] else { throw store.expired(token, "has no place in it") }
      return place
    }
    let opened: State = try storeErrors {
      if let name {
        let reader = try readers.register(name: name, at: first)
        return State(place: reader.place, reader: reader)
      }
      var place: NSPersistentHistoryToken.Place?
      let reader = try? readers.register {
        let found = try first()
        place = found
        return found.number
      }
      return State(place: try place ?? first(), reader: reader)
    }
    state = Mutex(opened)
  }

  deinit { end() }

  /// The place after the last transaction that was done with.
  public var token: NSPersistentHistoryToken {
    NSPersistentHistoryToken([backEnd.identifier: state.withLock { $0.place }])
  }

  /// Goes on from another place: after error 134301, from `currentPersistentHistoryToken(fromStores:)`, once everything
  /// was read anew.
  /// - Throws: 134301 for a token of other stores, 256…640 if the place cannot be remembered.
  public func move(to token: NSPersistentHistoryToken) throws {
    guard let place = token.places[backEnd.identifier] else { throw store.expired(token, "has no place in it") }
    try storeErrors {
      try state.withLock { state in
        (state.waiting, state.given) = ([], nil)
        try state.move(to: place)
      }
    }
  }

  /// Hands out the transactions that are there and not done with, one after the other; each is done with when `body`
  /// returns. One for which `body` throws comes again.
  /// - Returns: how many there were.
  /// - Throws: what `body` throws; 134301 if transactions that should come were purged, or the store was put back to an
  ///   older copy; what stands in the way on the disk.
  @discardableResult
  public func catchUp(_ body: (NSPersistentHistoryTransaction) throws -> Void) throws -> Int {
    var count = 0
    giveBack()
    while let transaction = try next() {
      do {
        try body(transaction)
      } catch {
        giveBack()
        throw error
      }
      count += 1
    }
    return count
  }

  /// The transactions, also those that come later: the loop sleeps until somebody commits. It ends when its task is
  /// cancelled and when the follower ends. It throws what `catchUp` throws.
  public var transactions: Transactions { Transactions(follower: self) }

  /// Ends the loop, and no longer holds a purge back; a name stays remembered.
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

  /// The next transaction that is there; the one before is done with. nil if there is none, and after the end.
  func next() throws -> NSPersistentHistoryTransaction? {
    try storeErrors {
      if let known = try step() { return known }
      let place = state.withLock { $0.place }
      let stretch = try backEnd.history(HistoryQuery(after: place.number, limit: Self.stretch))
      try store.check(place, stretch)
      let records = stretch.transactions.map {
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
        try state.move(to: NSPersistentHistoryToken.Place(number: done.number, time: done.timestamp))
        state.given = nil
      }
      guard let record = state.waiting.popFirst() else { return nil }
      state.given = record.transaction
      return NSPersistentHistoryTransaction(record)
    }
  }

  /// A transaction that was not done with comes again.
  private func giveBack() {
    state.withLock { state in
      if state.given != nil { (state.given, state.waiting) = (nil, []) }
    }
  }

  // MARK: Sleep

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// A loop begins.
  func begin() { giveBack() }

  /// Watches the store, from the first time on that there is nothing to read; answers whether it did not before: then
  /// the history is to be read once more.
  func watch() throws -> Bool {
    try observation.withLock { watch in
      guard watch == nil, !isEnded else { return false }
      do {
        watch = try CommitSignal.observe(storePath: backEnd.path) { [weak self] in self?.wake() }
      } catch {
        throw CocoaError.coreData(
          .open, "Cannot watch '\(backEnd.url.path)' for commits of other processes: \(error)", cause: error)
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

  /// Returns when somebody may have committed, at the end, and when the task is cancelled.
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
  /// Remembers a place.
  fileprivate mutating func move(to place: NSPersistentHistoryToken.Place) throws {
    // Where nothing is to be found again, a place that cannot be written is no failure.
    if reader?.record.kind == .named { try reader?.move(to: place) } else { try? reader?.move(to: place) }
    self.place = place
  }
}
