import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// The page cache of a big save.
@Suite struct GrowingCacheTests {
  private let folder: TemporaryFolder
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    try connection.run("PRAGMA journal_mode = WAL")
    try connection.run("CREATE TABLE list (text)")
    try connection.run("CREATE TABLE names (text UNIQUE)")
  }

  private var kilobytes: Int64 { get throws { try -(connection.integer("PRAGMA cache_size") ?? 0) } }

  /// Inserts 8 MB.
  private func fill(_ table: String) throws {
    try connection.run(
      """
      WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 8000) \
      INSERT INTO \(table) SELECT randomblob(1000) FROM numbers
      """)
  }

  @Test func `the cache grows until it holds the pages that a save rereads`() throws {
    let cache = try GrowingCache(holdingFileOf: connection)
    let minimum = try kilobytes
    try connection.writing {
      try fill("names")
      cache.look()
      #expect(try kilobytes == minimum * 3 / 2)
      for _ in 0..<10 {
        _ = try connection.integer("SELECT sum(length(text)) FROM names NOT INDEXED")
        cache.look()
      }
    }
    let grown = try kilobytes
    #expect(grown > 8_192 && grown < 65_536)
    try cache.resize(forIndexesOfRows: 8_000) { () throws in #expect(try kilobytes == minimum) }
    #expect(try kilobytes == grown)
    try cache.resize(forIndexesOfRows: 1_000_000) { () throws in #expect(try kilobytes == 16_384) }
    #expect(try kilobytes == grown)
  }

  @Test func `appended rows do not need a larger cache`() throws {
    let cache = try GrowingCache(holdingFileOf: connection)
    let minimum = try kilobytes
    try connection.writing { try fill("list") }
    cache.look()
    #expect(try kilobytes == minimum)
  }

  @Test func `the cache begins with room for the whole file`() throws {
    try connection.writing { try fill("list") }
    _ = try GrowingCache(holdingFileOf: connection)
    #expect(try kilobytes >= 8_000)
  }
}
