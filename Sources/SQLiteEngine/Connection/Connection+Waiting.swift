import StrataCSQLite
import Foundation

extension Connection {
  /// Our own writers queue for the writer lock, so this waits for foreign writers, and for a process that reads the WAL
  /// after a crash: 0.1 to 1 ms at a time, by chance, so that two who wait do not stay in step.
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

  /// Remembers the length of the WAL; the hook runs when a commit is done and its lock is released.
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

  /// A clock that nobody sets.
  package static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
