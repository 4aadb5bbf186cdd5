import StrataCMappedFiles
import StrataCSQLite

extension Connection {
  /// Whether the file is mapped into memory.
  package enum Mapping {
    /// As the program, or SQLite, says.
    case given
    /// From `mapFile` on.
    case later
    /// Except during table scans: see `withoutMapping`.
    case mapped
  }

  /// Maps the file of a connection that is used more than once. Look-ups by key then take 0.7 of the time, but a page
  /// that is touched for the first time costs more to map than to copy: without a mapping, a first fetch of 50 rows in
  /// as many places takes 0.8 of the time.
  package func mapFile() {
    guard mapping == .later else { return }
    mapping = .mapped
    // Without the mapping, reading is merely slower.
    try? run("PRAGMA mmap_size = 268435456")
  }

  /// The fewest rows for which unmapping pays: it costs as much as reading ten rows, and later look-ups must map their
  /// pages again.
  package static let leastScan = 2_000

  /// Runs `body`, which reads that many rows in sequence, with the file unmapped.
  ///
  /// A mapped page is fetched from memory when its rows are read and stays resident; a copied one is in the processor's
  /// cache by then. Scans take 0.92 of the time unmapped, look-ups 1.4 times as long. While another statement of the
  /// connection reads, SQLite keeps the mapping.
  /// See https://sqlite.org/mmap.html and https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html
  /// (SQLITE_FCNTL_MMAP_SIZE)
  package func withoutMapping<T>(_ body: () throws -> T) rethrows -> T {
    guard mapping != .given else { return try body() }
    var limit: sqlite3_int64 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_MMAP_SIZE, &limit)
    defer {
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_MMAP_SIZE, &limit)
      // Drops the copied pages, so that later reads use the mapping.
      sqlite3_db_release_memory(handle)
    }
    return try body()
  }
}

extension Connection {
  /// What a step counts as: a row of a file that was cut short below its mapping may be zeros.
  @inline(__always)
  func checked(_ code: Int32) -> Int32 { strata_torn_mappings() == 0 || !isTorn ? code : SQLiteFailure.shortRead }

  private var isTorn: Bool {
    guard let file = openFile(SQLITE_FCNTL_FILE_POINTER), let methods = file.pointee.pMethods,
      methods.pointee.iVersion >= 3
    else { return false }
    var start: UnsafeMutableRawPointer?
    guard methods.pointee.xFetch(file, 0, 1, &start) == SQLITE_OK, let start else { return false }
    defer { _ = methods.pointee.xUnfetch(file, 0, start) }
    return strata_is_torn(start)
  }

  /// Unmaps a file that was cut short; the next read maps what is there then. While another statement of the connection
  /// reads, SQLite keeps the mapping, and every step fails.
  func unmap(after code: Int32) {
    guard code == SQLiteFailure.shortRead else { return }
    var limit: sqlite3_int64 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_MMAP_SIZE, &limit)
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_MMAP_SIZE, &limit)
  }
}
