import StrataCSQLite
import StrataRowStore

extension Connection {
  /// Runs `body` in one read transaction, so that all of it sees one snapshot.
  package func reading<T>(_ body: () throws -> T) throws -> T {
    try run("BEGIN DEFERRED")
    defer { rollback() }
    return try body()
  }

  /// Runs `body` in one write transaction; an error rolls everything back.
  ///
  /// Begins with BEGIN IMMEDIATE: upgrading a read transaction fails immediately if another connection has written
  /// since. See https://sqlite.org/rescode.html#busy_snapshot
  package func writing<T>(_ body: () throws -> T) throws -> T {
    try run("BEGIN IMMEDIATE")
    do {
      // A store's writer compares the files under its lock and in `hasCommitted`, which takes less than reading /proc.
      let isStoreWriter = hasCommitted != nil
      if !isStoreWriter { try checkLogIndex() }
      try beginsWriting?()
      let result = try body()
      try externalFiles?.willCommit()
      try run("COMMIT")
      do {
        if isStoreWriter { try hasCommitted?() } else { try checkLogIndex(afterCommit: true) }
      } catch {
        externalFiles?.mayHaveCommitted()
        throw error
      }
      if externalFiles?.hasLeft == true { syncLog() }
      externalFiles?.didCommit()
      return result
    } catch {
      rollback()
      throw error
    }
  }

  /// Runs `body` in a savepoint of the open transaction. An error undoes what it has written, and no more.
  /// - Throws: the error of `body`; `LostSavepoint` if the error ended the transaction. See https://sqlite.org/lang_savepoint.html
  package func savepoint<T>(_ body: () throws -> T) throws -> T {
    try run("SAVEPOINT save")
    do {
      let result = try body()
      try run("RELEASE save")
      return result
    } catch {
      do {
        try run("ROLLBACK TO save")
        try run("RELEASE save")
      } catch let other {
        throw LostSavepoint(cause: error, failure: other)
      }
      throw error
    }
  }

  /// SQLite ended the transaction, or could not undo a savepoint.
  package struct LostSavepoint: Error {
    package let cause: any Error
    package let failure: any Error
  }

  /// Syncs the WAL before deleting files that only an earlier commit refers to: a power failure must not undo the last
  /// commit then. See https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntljournalpointer
  private func syncLog() {
    guard let file = openFile(SQLITE_FCNTL_JOURNAL_POINTER), let methods = file.pointee.pMethods else { return }
    // A WALWriteBuffer reaches the disk with this flag only.
    _ = methods.pointee.xSync(file, SQLITE_SYNC_FULL)
  }

  /// Rolls back the open transaction. Failures do not matter: what is not committed is gone anyway.
  package func rollback() {
    defer { externalFiles?.didRollBack() }
    guard isInTransaction else { return }
    try? run("ROLLBACK")
    forgetHeldPages()
  }

  /// Runs a passive checkpoint. The caller must hold the writer lock.
  /// - Returns: the pages in the WAL, and how many of them were copied into the file.
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

  /// Has SQLite find out that the database is in WAL mode, and checks the index of its log. A damaged database cannot be
  /// read, and passes.
  func openLog() throws {
    do {
      try run("PRAGMA schema_version")
    } catch let error as StoreError where error.code == .busy {
      throw error
    } catch {}
    try checkLogIndex()
  }

  /// Empties the database, even a damaged one, in one transaction: the file is neither unlinked nor truncated under
  /// other connections. See https://sqlite.org/c3ref/c_dbconfig_defensive.html
  package func empty() throws {
    // Without a read, SQLite would also wait until all others have closed the database.
    try openLog()
    strata_set_reset(handle, 1)
    defer { strata_set_reset(handle, 0) }
    try run("VACUUM")
  }
}
