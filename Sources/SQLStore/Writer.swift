import Dispatch
import Glibc
import RowStore
import SQLText
import SQLiteEngine
import Synchronization

/// The connection that writes, and the turn that it needs.
final class Writer: @unchecked Sendable {
  // Sendable: the connections are used only by the thread that has the turn.

  /// Seconds that closing waits for the turn: longer than any of our own saves, shorter than a user's patience.
  private static let closingPatience = 3.0

  let connection: Connection
  /// The statements that write rows; gone once the writer is closed.
  @exclusivity(unchecked) private(set) var statements: WriteStatements?
  /// The keys of the history's strings, as far as they were found. Strings stay where they are while the tables do.
  var strings: [String: Int64] = [:]
  private let turn: WriterTurn
  private let hasEnded = Atomic(false)
  private let timeout: Double
  private let path: String
  @exclusivity(unchecked) private var checkpoints: CheckpointPlan
  @exclusivity(unchecked) private var watch: ModelWatch
  @exclusivity(unchecked) private var files: StoreFiles?
  private let checkpointing = DispatchQueue(label: "sqlite.checkpoint")
  private let isCheckpointAsked = Atomic(false)

  init(
    connection: Connection, turn: WriterTurn, opening: StoreOpening, schema: StoreSchema, watch: ModelWatch,
    files: StoreFiles?
  ) {
    self.connection = connection
    self.turn = turn
    timeout = opening.options.timeout
    path = connection.path
    checkpoints = CheckpointPlan { try opening.openReader() }
    self.watch = watch
    self.files = files
    statements = WriteStatements(schema: schema, connection: connection)
    connection.setCheckpointsOnClose(true)
    connection.beginsWriting = { [unowned self] in try self.checkModel() }
  }

  private func checkModel() throws {
    let version = watch.version
    try watch.check(connection)
    if watch.version != version {
      strings = [:]
      statements?.forgetTriggers()
    }
  }

  /// Runs `body` as the only writer of all processes.
  func withTurn<T>(_ body: (Connection, WriteStatements) throws -> T) throws -> T {
    try ForkMark.refuseChild("write", path)
    let (result, isDue) = try turn.forStore(path, deadline: timeout) {
      guard let statements else {
        throw StoreError(.notOpen, "The store '\(path)' was closed; open it again to write.")
      }
      // What is written to a file that nobody else can find is lost.
      if let loss = files?.loss(in: turn.folder) { throw loss }
      let result = try body(connection, statements)
      return (result, checkpoints.isDue(pages: connection.walPages))
    }
    if isDue, !isCheckpointAsked.exchange(true, ordering: .relaxed) {
      checkpointing.async { [self] in checkpointInPause() }
    }
    return result
  }

  /// Says before a COMMIT that the history will not tell of it, so that nobody takes it for one of a foreign writer. By
  /// whoever has the turn.
  func announceUnlisted() { turn.announceUnlisted() }

  private func checkpointInPause() {
    // Not by a timer: Dispatch's first one needs a descriptor, and ends a process that gets none.
    repeat { usleep(CheckpointPlan.pause) } while waitsForPause()
    isCheckpointAsked.store(false, ordering: .relaxed)
  }

  /// Copies the WAL back, off the thread that saves and under the turn: SQLite up to 3.51.2 can lose commits when
  /// processes checkpoint beside writers. A checkpoint that fails is tried again after later commits.
  /// - Returns: whether there is no pause for it yet.
  private func waitsForPause() -> Bool {
    let waits = try? turn.forStore(path, deadline: timeout) {
      guard statements != nil, files?.loss == nil else { return false }
      if checkpoints.waitsForPause() { return true }
      try checkpoints.run(beside: connection)
      return false
    }
    return waits == true
  }

  /// Closes under the turn: the last connection of all copies the WAL back when it closes. A second call does nothing.
  func close() {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let close = { [self] in
      guard statements != nil else { return }
      checkpoints.close()
      // The last one that closes removes the log, which is another store's by now.
      if files?.loss != nil { connection.setCheckpointsOnClose(false) }
      // A connection closes only when its last statement is gone.
      statements = nil
      connection.close()
    }
    do {
      try turn.forStore(path, deadline: Swift.min(timeout, Self.closingPatience), close)
      turn.close()
    } catch {
      // Waits for a thread of ours that has the turn; none can have it afterwards.
      turn.close()
      // Nobody may checkpoint without the turn; the next who opens the store reads the WAL.
      connection.setCheckpointsOnClose(false)
      close()
    }
  }
}

extension WriterTurn {
  /// The turn of a store, with failures in the words of a store.
  static func forStore(_ path: String, suffix: String = "-turn") throws -> WriterTurn {
    do {
      return try WriterTurn(storePath: path, suffix: suffix)
    } catch let error as TurnError {
      throw StoreError(error.storeCode, "Cannot open the store '\(path)': \(error.message).", cause: error)
    }
  }

  /// Runs `body` as the only writer, and says in the words of a store why it could not.
  func forStore<T>(_ path: String, deadline: Double, _ body: () throws -> T) throws -> T {
    do {
      return try withTurn(deadline: deadline, body)
    } catch let error as TurnError {
      throw StoreError(error.storeCode, "Cannot write the store '\(path)': \(error.message).", cause: error)
    }
  }
}

extension TurnError {
  var storeCode: StoreError.Code {
    switch kind {
    case .timedOut: .busy
    case .system(EACCES), .system(EPERM), .system(EROFS): .permission
    case .system(ENOSPC), .system(EDQUOT): .full
    case .system: .io
    case .unusable: .notOpen
    }
  }
}
