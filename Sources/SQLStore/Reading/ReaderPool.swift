import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine
import StrataSharing
import Synchronization

/// A source of reading connections.
protocol Readers: Sendable {
  func read<T>(_ body: (Reader) throws -> T) throws -> T

  /// Keeps one read transaction open while `body` runs.
  func readInOneTransaction<T>(_ body: (Reader) throws -> T) throws -> T
}

/// The reading connections. They never wait for the writer (invariant 7), and callers never wait for a connection: the
/// pool opens another if no connection is idle.
final class ReaderPool: Readers {
  /// Returned connections beyond this number are closed: few threads read simultaneously.
  private let maximumIdle: Int
  private let idle = Mutex<[Reader]>([])
  /// Set under the lock of the idle connections; read without it by threads that hold a connection.
  private let isClosed = Atomic(false)
  private let open: @Sendable () throws -> Connection
  private let missing = Mutex<StoreError?>(nil)
  private let path: String
  private let files: StoreFiles
  private let watch: ModelWatch
  /// Whether rows can refer to external data files, which writers delete when they replace them.
  private let hasDataFiles: Bool

  /// - Parameters:
  ///   - files: what the store was when it was opened.
  ///   - watch: stops reading from a store that was migrated after it was opened.
  ///   - first: a connection that is open already.
  ///   - hasDataFiles: whether the model has attributes with external storage.
  init(
    path: String, files: StoreFiles, watch: ModelWatch, first: Connection, maximumIdle: Int, hasDataFiles: Bool,
    open: @escaping @Sendable () throws -> Connection
  ) {
    self.path = path
    self.files = files
    self.maximumIdle = maximumIdle
    self.watch = watch
    self.open = open
    self.hasDataFiles = hasDataFiles
    checkIn(Reader(first, watch))
  }

  /// The reason nothing can be read: the files are not where they were.
  var loss: StoreError? {
    get { missing.withLock { $0 } }
    set { missing.withLock { $0 = newValue } }
  }

  func read<T>(_ body: (Reader) throws -> T) throws -> T {
    if hasDataFiles { return try readAgain(inOneTransaction: false, body) }
    if let lease = try lease() { return try body(lease.reader) }
    return try readAlone(body)
  }

  func readInOneTransaction<T>(_ body: (Reader) throws -> T) throws -> T {
    if hasDataFiles { return try readAgain(inOneTransaction: true, body) }
    if let lease = try lease() { return try body(lease.reader) }
    return try withReader { reader in try readInOneTransaction(reader, body) }
  }

  private func readInOneTransaction<T>(_ reader: Reader, _ body: (Reader) throws -> T) throws -> T {
    try reader.connection.reading {
      try reader.watch.checkIfChanged(reader.connection)
      return try body(reader)
    }
  }

  /// Reads, and repeats the read on a newer snapshot if a writer deleted a data file that a row refers to.
  private func readAgain<T>(inOneTransaction isOne: Bool, _ body: (Reader) throws -> T) throws -> T {
    if let lease = try lease() {
      if let result = try lease.reader.connection.readingOnce({ try body(lease.reader) }) { return result }
      endLease()
    }
    return try withReader { reader in
      try reader.connection.readingAgain {
        try isOne ? readInOneTransaction(reader, body) : read(with: reader, body)
      }
    }
  }

  private func readAlone<T>(_ body: (Reader) throws -> T) throws -> T {
    try withReader { reader in try read(with: reader, body) }
  }

  /// Lends a connection. A guest repeats reads that overlap with a change: see `GuestView`.
  private func withReader<T>(_ body: (Reader) throws -> T) throws -> T {
    let reader = try checkOutUnchecked()
    guard reader.connection.isGuest else {
      defer { checkIn(reader) }
      return try body(reader)
    }
    return try readAsGuest(startingWith: reader, body)
  }

  private func readAsGuest<T>(startingWith first: Reader, _ body: (Reader) throws -> T) throws -> T {
    var reader = first
    for _ in 1...GuestView.maximumAttempts {
      let result = Result { try body(reader) }
      let isCurrent = reader.connection.isCurrent
      checkIn(reader)
      if isCurrent { return try result.get() }
      reader = try checkOutUnchecked()
    }
    checkIn(reader)
    throw StoreError(
      .busy,
      "Cannot read the store '\(path)': other processes changed it during each of \(GuestView.maximumAttempts) attempts. This process "
        + "cannot lock it, because it may not write to its folder. Allow that, or keep the store open in another process."
    )
  }

  private func read<T>(with reader: Reader, _ body: (Reader) throws -> T) throws -> T {
    // The read can use the check's transaction.
    guard reader.watch.isUnchanged(on: reader.connection) else { return try readInOneTransaction(reader, body) }
    return try body(reader)
  }

  /// The lease of the thread's burst, from its second question on.
  private func lease() throws -> ReadLease? {
    guard let burst = ReadBurst.current else { return nil }
    try ForkDetector.refuseChild("read", path: path)
    if let held = burst.lease(of: self) as? ReadLease {
      if !isClosed.load(ordering: .acquiring), held.isFresh { return held }
      burst.hold(nil, of: self)
    }
    guard burst.isAnother(questionTo: self) else { return nil }
    let lease = try ReadLease(of: self)
    burst.hold(lease, of: self)
    return lease
  }

  /// Ends the lease of the thread's burst, so that no caller waits for a thread that continues with a write.
  func endLease() { ReadBurst.current?.hold(nil, of: self) }

  /// A connection for more than one question; `checkIn` returns it.
  func checkOut() throws -> Reader {
    let reader = try checkOutUnchecked()
    do {
      try reader.watch.checkIfChanged(reader.connection)
    } catch {
      checkIn(reader)
      throw error
    }
    return reader
  }

  /// A connection whose read transaction stays open until `checkInSnapshot`.
  /// - Parameter isPossible: looks at the connection before the transaction begins.
  /// - Returns: nil if it is not possible.
  func checkOutSnapshot(if isPossible: (Reader) throws -> Bool) throws -> Reader? {
    let reader = try checkOut()
    do {
      guard try isPossible(reader) else {
        checkIn(reader)
        return nil
      }
      try reader.beginSnapshot()
      return reader
    } catch {
      checkInSnapshot(reader)
      throw error
    }
  }

  func checkInSnapshot(_ reader: Reader) {
    reader.endSnapshot()
    checkIn(reader)
  }

  private func checkOutUnchecked() throws -> Reader {
    let reader = try checkOutIdle().flatMap(current) ?? Reader(open(), watch)
    if reader.isReused { reader.connection.enlargeCache() }
    reader.isReused = true
    return reader
  }

  /// Closes a guest's connection that has missed what others did; nil then.
  /// - Throws: `.notOpen` if another store has replaced it.
  private func current(_ reader: Reader) throws -> Reader? {
    if reader.connection.isCurrent { return reader }
    reader.close()
    try files.check()
    return nil
  }

  private func checkOutIdle() throws -> Reader? {
    try ForkDetector.refuseChild("read", path: path)
    if let loss { throw loss }
    return try idle.withLock { idle in
      guard !isClosed.load(ordering: .relaxed) else {
        throw StoreError(.notOpen, "The store '\(path)' was closed; open it again to read it.")
      }
      return idle.isEmpty ? nil : idle.removeLast()
    }
  }

  func checkIn(_ reader: Reader) {
    idle.withLock { idle in
      if !isClosed.load(ordering: .relaxed), idle.count < maximumIdle { idle.append(reader) }
    }
  }

  func close() {
    let left = idle.withLock { idle in
      isClosed.store(true, ordering: .releasing)
      defer { idle = [] }
      return idle
    }
    for reader in left { reader.close() }
  }
}

/// A reading connection, and the statements that it must find without comparing SQL text.
final class Reader: @unchecked Sendable {
  // Sendable: lent to one thread at a time.

  let connection: Connection
  /// The statement and fetcher for a row by key, by root entity number.
  @exclusivity(unchecked) var lookUps: [Int: (Statement, RowFetcher)] = [:]

  /// Cursors in the middle of relationships, while a read transaction stays open; nil otherwise.
  @exclusivity(unchecked) var cursors: [(layout: EntityLayout, relationship: Int, cursor: MemberCursor)]?

  var watch: ModelWatch
  @exclusivity(unchecked) var isReused = false

  init(_ connection: Connection, _ watch: ModelWatch) {
    self.connection = connection
    self.watch = watch
  }

  /// - Throws: `.incompatibleModel`.
  func checkModel() throws { try watch.check(connection) }

  /// Begins a read transaction as of the moment this returns, for more than one question.
  func beginSnapshot() throws {
    connection.enlargeCache()
    try connection.run("BEGIN DEFERRED")
    // BEGIN alone reads nothing; the first SELECT does.
    _ = try connection.integer("SELECT 1 FROM sqlite_master LIMIT 1")
    cursors = []
  }

  func endSnapshot() {
    for (_, _, cursor) in cursors ?? [] { cursor.end() }
    cursors = nil
    connection.rollback()
  }

  /// A connection can close only after its last statement is finalized.
  func close() {
    lookUps = [:]
    connection.close()
  }
}
