import StrataCSQLite
import StrataRowStore

extension Connection {
  /// Makes this database a copy of another, page by page in one transaction: other connections see it before or after.
  /// The caller must hold this store's writer lock. See https://sqlite.org/c3ref/backup_finish.html
  package func becomeCopy(of source: Connection) throws {
    try openLog()
    statements.removeAll()
    guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw failure(sqlite3_errcode(handle), sql: nil).storeError("write", path: path)
    }
    let copied = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    guard copied == SQLITE_DONE, finished == SQLITE_OK else {
      throw failure(copied == SQLITE_DONE ? finished : copied, sql: nil).storeError("write", path: path)
    }
    try checkLogIndex(afterCommit: true)
  }
}
