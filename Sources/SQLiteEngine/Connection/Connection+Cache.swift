import StrataCSQLite

extension Connection {
  /// The size of the page cache.
  package enum Cache {
    /// As the program, or SQLite, says.
    case given
    /// Large from `enlargeCache` on.
    case later
    /// Large, except during scans: see `withSmallCache`.
    case large
  }

  /// In KiB; the cache of a larger file stays small. A cache that holds only a part of what is read takes longer than
  /// none: its pages leave the processor's cache before they are read again.
  private static let largeSize: Int64 = 64 << 10

  /// SQLite's own default, in KiB, which stays in the processor's cache.
  private static let smallSize: Int64 = 2_000

  /// Enlarges the cache of a connection that is used more than once, unless the file is too large to be cached as a
  /// whole. SQLite reads a page again when it is no longer in the cache: with 100,000 rows, look-ups by key then take 1.2
  /// times as long. A connection that is used once would only fill the cache, which takes longer than to recycle a small
  /// one.
  package func enlargeCache() {
    guard case .later = cache, let file = openFile(SQLITE_FCNTL_FILE_POINTER) else { return }
    var size: sqlite3_int64 = 0
    let isKnown = file.pointee.pMethods?.pointee.xFileSize(file, &size) == SQLITE_OK
    cache = isKnown && size >> 10 <= Self.largeSize ? .large : .given
    if case .large = cache { setCacheSize(Self.largeSize) }
  }

  /// The minimum number of rows for which it pays to keep a scan out of the cache, as later look-ups must read their pages
  /// again.
  package static let minimumScanRows = 2_000

  /// Runs `body`, which reads many rows in sequence, with a small cache, whose pages it recycles.
  package func withSmallCache<T>(_ body: () throws -> T) rethrows -> T {
    guard case .large = cache else { return try body() }
    setCacheSize(Self.smallSize)
    defer { setCacheSize(Self.largeSize) }
    return try body()
  }

  /// The number of pages that SQLite read because its cache did not hold them, since the connection was opened.
  package var cacheMisses: Int {
    var (current, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
    return Int(current)
  }

  /// Without it, reading is merely slower.
  private func setCacheSize(_ size: Int64) { try? run("PRAGMA cache_size = -\(size)") }
}
