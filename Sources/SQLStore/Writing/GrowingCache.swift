import StrataSQLiteEngine

/// The page cache of a big save. It begins with room for the whole file, up to 64 MB, and grows when the save needs pages
/// again that the cache no longer holds.
///
/// New rows are adjacent: SQLite writes their pages once, whether or not the cache still holds them. Only the pages of
/// indexes that the new rows touch in random order must stay, so the cache of a save into an empty store needs a tenth
/// of the memory that its rows take.
package final class GrowingCache {
  /// In kilobytes, as all sizes here.
  private static let maximum = 65_536
  private static let minimum = 4_096
  /// From this many rows on, a save touches more pages of tables and indexes than SQLite caches (500), so each would be
  /// written to the log and reread several times. With the cache that is kept, saves of 1,000 rows take 0.7 of the time. A
  /// smaller save is faster without: allocating the memory would cost more.
  static let minimumRows = 100
  /// From this many rows on, a cache that grows cuts a save to 0.55 to 0.8 of the time, as each page is written once.
  static let minimumRowsToGrow = 5_000
  /// The cache that the writer keeps after a big save, 8 MB, for the next one.
  private static let kept = 8_000

  /// The number of rows between two looks.
  static let step = 1_024
  /// The number of misses in a step that is worth more memory. Each costs a read and a write of a page.
  private static let maximumMisses = 64

  private let connection: Connection
  private var kilobytes: Int
  private var misses: Int
  private var rows = 0

  /// Enlarges the connection's cache; the caller calls `end` after the save.
  package init(holdingFileOf connection: Connection) throws {
    self.connection = connection
    let pages = try Int(connection.integer("PRAGMA page_count") ?? 0)
    kilobytes = min(Self.maximum, max(Self.minimum, pages * 4))
    misses = connection.cacheMisses
    try apply(kilobytes)
  }

  /// Sets the size that a connection keeps.
  static func keep(on connection: Connection) throws { try set(kept, on: connection) }

  /// Shrinks the cache to the size that the connection keeps.
  func end() { try? Self.keep(on: connection) }

  /// Runs a change of an unknown number of rows with the biggest cache.
  static func withMaximum<T>(on connection: Connection, body: () throws -> T) throws -> T {
    try set(maximum, on: connection)
    defer { try? keep(on: connection) }
    return try body()
  }

  /// Counts a row that the save writes, and grows if many pages of the last ones were missing.
  package func willWriteRow() {
    if rows % Self.step == 0 { look() }
    rows += 1
  }

  package func look() {
    let before = misses
    misses = connection.cacheMisses
    guard misses - before > Self.maximumMisses, kilobytes < Self.maximum else { return }
    kilobytes = min(Self.maximum, kilobytes + kilobytes / 2)
    // Without it, writing is merely slower.
    try? apply(kilobytes)
  }

  /// Sets the size for building the indexes of new rows, and restores it afterwards. The rows are read once, but SQLite sorts
  /// them in as much memory as the cache may have, and more of them in a temporary file.
  package func resize(forIndexesOfRows count: Int, build: () throws -> Void) rethrows {
    try? apply(min(Self.maximumOfIndexes, max(Self.minimum, count * Self.bytesOfEntry / 1_024)))
    defer { try? apply(kilobytes) }
    try build()
  }

  /// An entry of a number, a date or a short text in SQLite's sorter.
  private static let bytesOfEntry = 48
  private static let maximumOfIndexes = 16_384

  private func apply(_ kilobytes: Int) throws { try Self.set(kilobytes, on: connection) }

  private static func set(_ kilobytes: Int, on connection: Connection) throws {
    try connection.run("PRAGMA cache_size = -\(kilobytes)")
  }
}
