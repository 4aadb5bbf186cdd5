import Dispatch
import Glibc
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSharing
import Synchronization

/// The writing connection, and the lock that goes with it.
final class Writer: @unchecked Sendable {
  // Sendable: only the thread that holds the writer lock uses the connections.

  /// The number of seconds that closing waits for the lock: longer than any save of ours, shorter than users wait.
  private static let closingTimeout = 3.0

  let connection: Connection
  /// nil once the writer is closed.
  @exclusivity(unchecked) private(set) var statements: WriteStatements?
  /// The known keys of the history's strings, which stay the same while the tables exist.
  var strings: [String: Int64] = [:]
  /// nil without history, which nothing follows.
  let ownCommits: OwnCommits?
  private let commits = CommitQueue()
  private let writerLock: WriterLock
  private let hasEnded = Atomic(false)
  private let timeout: Double
  private let path: String
  @exclusivity(unchecked) private var checkpoints: CheckpointPlan
  @exclusivity(unchecked) private var watch: ModelWatch
  @exclusivity(unchecked) private var files: StoreFiles
  private let checkpointing = DispatchQueue(label: "sqlite.checkpoint")
  private let isCheckpointAsked = Atomic(false)

  init(
    connection: Connection, writerLock: WriterLock, opening: StoreOpening, schema: StoreSchema, watch: ModelWatch,
    files: StoreFiles
  ) {
    self.connection = connection
    self.writerLock = writerLock
    timeout = opening.options.timeout
    ownCommits = opening.options.keepsHistory ? OwnCommits() : nil
    path = connection.path
    checkpoints = CheckpointPlan { try opening.openReader() }
    self.watch = watch
    self.files = files
    statements = WriteStatements(schema: schema, connection: connection)
    connection.setCheckpointsOnClose(true)
    connection.beginsWriting = { [unowned self] in
      self.ownCommits?.willWrite(self.connection)
      try self.checkModel()
    }
    connection.hasCommitted = { [unowned self] in
      self.ownCommits?.didCommit()
      try self.files.checkCommit(in: self.writerLock.currentFolder)
    }
  }

  private func checkModel() throws {
    let version = watch.version
    try watch.check(connection)
    if watch.version != version {
      strings = [:]
      statements?.forgetTriggers()
    }
  }

  /// Makes a small save, together with those of other threads.
  func commit(_ batch: ChangeBatch, in store: SQLStore) throws -> CommitReceipt {
    // In the child of a fork, no thread makes the saves that were queued.
    try ForkDetector.refuseChild("write", path: path)
    return try commits.run(
      QueuedCommit(batch), until: .now() + timeout, timedOut: { writerLock.timedOutError(timeout) },
      writeGroup: { end, takeGroup in
        try write(until: end) { connection, statements in
          CommitGroup(store: store, writer: self, connection: connection, statements: statements, saves: takeGroup())
            .run()
        }
      })
  }

  /// The number of small saves that wait for the lock.
  var queuedCommits: Int { commits.count }

  /// Runs `body` as the only writer of all processes.
  /// - Parameter end: the deadline for the lock, if it is not the usual time from now.
  func write<T>(until end: DispatchTime? = nil, _ body: (Connection, WriteStatements) throws -> T) throws -> T {
    try ForkDetector.refuseChild("write", path: path)
    let (result, isDue) = try writerLock.withLock(timeout: timeout, until: end) {
      guard let statements else {
        throw StoreError(.notOpen, "The store '\(path)' was closed; open it again to write.")
      }
      // A write to a file that other processes cannot find is lost.
      try files.check(in: writerLock.folder)
      let result = try body(connection, statements)
      return (result, checkpoints.isDue(pages: connection.walPages))
    }
    if isDue, !isCheckpointAsked.exchange(true, ordering: .relaxed) {
      checkpointing.async { [self] in checkpointInPause() }
    }
    return result
  }

  /// Announces a COMMIT that will not be in the history, so that other processes do not mistake it for a foreign
  /// writer's. The caller must hold the writer lock.
  /// - Parameter change: negative after a COMMIT with several transactions of the history.
  func adjustUnlistedCount(by change: Int) { writerLock.adjustUnlistedCount(by: change) }

  /// Checkpoints off the saving thread and under the lock: up to version 3.51.2, SQLite can lose commits when a process
  /// checkpoints concurrently with writers. A failed checkpoint is retried after later commits.
  private func checkpointInPause() {
    // Not a timer: Dispatch's first one needs a descriptor, and ends a process without free descriptors.
    repeat { usleep(CheckpointPlan.pause) } while (try? ifOpen { checkpoints.waitsForPause() }) == true
    // The checkpoint first waits for the disk to have the WAL. Most of that wait is over here, without the lock.
    CheckpointPlan.syncWAL(ofStore: path)
    try? ifOpen { try checkpoints.run(beside: connection) }
    isCheckpointAsked.store(false, ordering: .relaxed)
  }

  /// Runs `body` under the lock, unless the store has been closed.
  private func ifOpen<T>(_ body: () throws -> T) throws -> T? {
    try writerLock.withLock(timeout: timeout) {
      guard statements != nil else { return nil }
      try files.check()
      return try body()
    }
  }

  /// Closes under the lock, because the last connection to close checkpoints. A second call does nothing.
  func close() {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let close = { [self] in
      guard statements != nil else { return }
      checkpoints.close()
      // The last connection to close removes the log, which by now belongs to another store.
      do { try files.check() } catch { connection.setCheckpointsOnClose(false) }
      // A connection can close only after its last statement is finalized.
      statements = nil
      ownCommits?.end()
      connection.close()
    }
    do {
      try writerLock.withLock(timeout: Swift.min(timeout, Self.closingTimeout), close)
      writerLock.close()
    } catch {
      // Waits for a thread of ours that holds the lock; none can take it afterwards.
      writerLock.close()
      // A checkpoint requires the lock; the next process to open the store recovers the WAL.
      connection.setCheckpointsOnClose(false)
      close()
    }
  }
}

extension WriterLock {
  /// Opens the writer lock of a store, with failures as `StoreError`.
  static func ofStore(_ path: String, suffix: String = "-turn") throws -> WriterLock {
    do {
      return try WriterLock(storePath: path, suffix: suffix)
    } catch let error as WriterLockError {
      throw StoreError(error.storeCode, "Cannot open the store '\(path)': \(error.message).", cause: error)
    }
  }
}
