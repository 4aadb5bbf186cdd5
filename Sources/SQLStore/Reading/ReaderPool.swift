import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine
import Synchronization
import StrataWriterLock

/// Whoever lends connections that read.
protocol Readers: Sendable {
  /// Lends a connection to `body`.
  func read<T>(_ body: (Reader) throws -> T) throws -> T

  /// Lends a connection to `body` and keeps one read transaction open meanwhile.
  func readAtOneMoment<T>(_ body: (Reader) throws -> T) throws -> T
}

/// The connections that read. They never wait for the writer (invariant 7), and nobody waits for one of them: who finds
/// none at rest opens another.
final class ReaderPool: Readers {
  /// More than this many are closed when they come back: threads that read at one time are few.
  private let mostAtRest: Int
  private let resting = Mutex<[Reader]>([])
  /// Set with the lock of those at rest, and read without it by whoever has a connection already.
  private let isClosed = Atomic(false)
  private let open: @Sendable () throws -> Connection
  private let missing = Mutex<StoreError?>(nil)
  private let path: String
  private let watch: ModelWatch

  /// - Parameters:
  ///   - watch: stops the reading of a store that was migrated meanwhile.
  ///   - first: a connection that is open already.
  init(
    path: String, watch: ModelWatch, first: Connection?, mostAtRest: Int,
    open: @escaping @Sendable () throws -> Connection
  ) {
    self.path = path
    self.mostAtRest = mostAtRest
    self.watch = watch
    self.open = open
    if let first { resting.withLock { $0 = [Reader(first, watch)] } }
  }

  /// Why nothing can be read: the files are not where they were.
  var loss: StoreError? {
    get { missing.withLock { $0 } }
    set { missing.withLock { $0 = newValue } }
  }

  func read<T>(_ body: (Reader) throws -> T) throws -> T {
    if let lease = try lease() { return try body(lease.reader) }
    return try readAlone(body)
  }

  func readAtOneMoment<T>(_ body: (Reader) throws -> T) throws -> T {
    if let lease = try lease() { return try body(lease.reader) }
    return try readAlone { reader in try reader.connection.reading { try body(reader) } }
  }

  private func readAlone<T>(_ body: (Reader) throws -> T) throws -> T {
    let reader = try takeOrOpen()
    defer { giveBack(reader) }
    return try body(reader)
  }

  /// What the thread's burst keeps open, from its second question on.
  private func lease() throws -> ReadLease? {
    guard let burst = ReadBurst.current else { return nil }
    try ForkMark.refuseChild("read", path)
    if let held = burst.lease(of: self) as? ReadLease {
      if !isClosed.load(ordering: .acquiring), held.isFresh { return held }
      burst.hold(nil, of: self)
    }
    guard burst.isAnother(questionTo: self) else { return nil }
    let lease = try ReadLease(of: self)
    burst.hold(lease, of: self)
    return lease
  }

  /// Ends what the thread's burst keeps open: nobody is to wait for the thread that goes on to write.
  func endLease() { ReadBurst.current?.hold(nil, of: self) }

  /// A connection for longer than one question; `giveBack` ends the loan.
  func takeOrOpen() throws -> Reader {
    let reader = try take() ?? Reader(open(), watch)
    do {
      try reader.watch.checkMoment(reader.connection)
    } catch {
      giveBack(reader)
      throw error
    }
    return reader
  }

  private func take() throws -> Reader? {
    try ForkMark.refuseChild("read", path)
    if let loss { throw loss }
    return try resting.withLock { resting in
      guard !isClosed.load(ordering: .relaxed) else {
        throw StoreError(.notOpen, "The store '\(path)' was closed; open it again to read it.")
      }
      return resting.popLast()
    }
  }

  func giveBack(_ reader: Reader) {
    resting.withLock { resting in
      if !isClosed.load(ordering: .relaxed), resting.count < mostAtRest { resting.append(reader) }
    }
  }

  func close() {
    let left = resting.withLock { resting in
      isClosed.store(true, ordering: .releasing)
      defer { resting = [] }
      return resting
    }
    for reader in left { reader.close() }
  }
}

/// A connection that reads, and the statements that it must find without looking at their text.
final class Reader: @unchecked Sendable {
  // Sendable: lent to one thread at a time.

  let connection: Connection
  /// The statement and pump of a row by its key, by the number of the root entity.
  @exclusivity(unchecked) var lookUps: [Int: (Statement, RowFetcher)] = [:]

  /// What stands in the middle of relationships, as long as a read transaction is kept open; nil otherwise.
  @exclusivity(unchecked) var cursors: [(layout: EntityLayout, relationship: Int, cursor: MemberCursor)]?

  /// Stops this connection once the store was migrated.
  var watch: ModelWatch

  init(_ connection: Connection, _ watch: ModelWatch) {
    self.connection = connection
    self.watch = watch
  }

  /// Begins a read transaction, which is of the moment when this returns.
  func beginMoment() throws {
    try connection.run("BEGIN DEFERRED")
    // A transaction begins with its first read.
    _ = try connection.integer("SELECT 1 FROM sqlite_master LIMIT 1")
    cursors = []
  }

  func endMoment() {
    for (_, _, cursor) in cursors ?? [] { cursor.end() }
    cursors = nil
    connection.rollback()
  }

  /// A connection closes only when its last statement is gone.
  func close() {
    lookUps = [:]
    connection.close()
  }
}
