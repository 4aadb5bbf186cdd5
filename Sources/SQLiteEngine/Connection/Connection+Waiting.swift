import Foundation
import StrataCSQLite

extension Connection {
  /// Installs the busy handler. Our own writers queue for the writer lock, so it waits only for foreign writers and for
  /// a process recovering the WAL after a crash: 0.1 to 1 ms at a time, at random, so that two waiters do not stay in
  /// step.
  func waitForLocks() {
    sqlite3_busy_handler(
      handle,
      { context, attempt in
        let connection = Unmanaged<Connection>.fromOpaque(context!).takeUnretainedValue()
        let now = Connection.seconds
        if attempt == 0 { connection.waitingSince = now }
        guard now - connection.waitingSince < connection.busyTimeout else { return 0 }
        usleep(UInt32.random(in: 100...1_000))
        return 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Records the WAL's length; the hook runs after a commit has released its lock.
  /// See https://sqlite.org/c3ref/wal_hook.html
  func countWALPages() {
    sqlite3_wal_autocheckpoint(handle, 0)
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        Unmanaged<Connection>.fromOpaque(context!).takeUnretainedValue().walPages = Int(pages)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Monotonic seconds.
  package static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
