import StrataCSQLite
import StrataRowStore

extension Connection {
  /// Runs `body` in one read transaction: all of it sees the store of one moment.
  package func reading<T>(_ body: () throws -> T) throws -> T {
    try run("BEGIN DEFERRED")
    defer { rollback() }
    return try body()
  }

  /// Runs `body` in one write transaction; what throws leaves nothing changed.
  ///
  /// The write lock is taken at the start: a reading transaction that turns into a writing one fails without waiting
  /// when somebody else wrote meanwhile. See https://sqlite.org/rescode.html#busy_snapshot
  package func writing<T>(_ body: () throws -> T) throws -> T {
    try run("BEGIN IMMEDIATE")
    do {
      try beginsWriting?()
      let result = try body()
      try externalFiles?.willCommit()
      try run("COMMIT")
      if externalFiles?.hasLeft == true { syncLog() }
      externalFiles?.didCommit()
      return result
    } catch {
      rollback()
      throw error
    }
  }

  /// Has the last commit on the disk before files go that only an earlier one refers to: it may not be undone by a power
  /// failure any more. See https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntljournalpointer
  private func syncLog() {
    guard let file = openFile(SQLITE_FCNTL_JOURNAL_POINTER), let methods = file.pointee.pMethods else { return }
    // A log that gathers what commits write waits for the disk with this flag alone.
    _ = methods.pointee.xSync(file, SQLITE_SYNC_FULL)
  }

  /// Ends an open transaction without a change. It cannot fail in a way that matters: what is not committed is not
  /// there.
  package func rollback() {
    defer { externalFiles?.didRollBack() }
    guard isInTransaction else { return }
    try? run("ROLLBACK")
  }

  /// Copies what it can of the WAL into the file without waiting for anybody, and says how many pages the WAL has and
  /// how many of them are copied. The caller must hold the writer lock.
  /// See https://sqlite.org/c3ref/wal_checkpoint_v2.html
  package func checkpoint() throws -> (pages: Int, copied: Int) {
    var pages: Int32 = 0
    var copied: Int32 = 0
    let result = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &copied)
    guard result == SQLITE_OK || result == SQLITE_BUSY else {
      throw failure(result, sql: nil).storeError("checkpoint", path: path)
    }
    return (Int(pages), Int(copied))
  }

  /// Empties the file, even a damaged one, in one step that others see whole: it is neither unlinked nor cut off under
  /// those who have it open. See https://sqlite.org/c3ref/c_dbconfig_defensive.html
  package func empty() throws {
    strata_set_reset(handle, 1)
    defer { strata_set_reset(handle, 0) }
    try run("VACUUM")
  }
}
