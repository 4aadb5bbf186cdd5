import StrataCSQLite

extension Connection {
  /// As few rows as this are read no faster without the mapping: to end it takes as long as to read ten rows, and what is
  /// looked up next has to map its pages anew.
  package static let leastScan = 2_000

  /// Runs `body`, which reads that many rows one after another, with the file not mapped.
  ///
  /// A mapped page comes from memory when its rows are read, and stays with the process; one that is copied lies in the
  /// processor's cache then. Scans take 0.92 of the time so, where look-ups take 1.4 of it. While another statement of the
  /// connection reads, SQLite leaves the mapping as it is.
  /// See https://sqlite.org/mmap.html and https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html (SQLITE_FCNTL_MMAP_SIZE)
  package func withoutMapping<T>(_ body: () throws -> T) rethrows -> T {
    guard unmapsScans else { return try body() }
    var limit: sqlite3_int64 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_MMAP_SIZE, &limit)
    defer {
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_MMAP_SIZE, &limit)
      // The pages that were copied: what comes next is read from the mapping.
      sqlite3_db_release_memory(handle)
    }
    return try body()
  }
}
