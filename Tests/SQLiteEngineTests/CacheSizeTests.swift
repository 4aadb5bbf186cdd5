import Foundation
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// The page cache of connections that are used more than once.
@Suite struct CacheSizeTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    try connection.run("CREATE TABLE t (a)")
  }

  private var size: Int64 { get throws { try connection.integer("PRAGMA cache_size") ?? 0 } }

  @Test func `the cache is large except during scans`() throws {
    connection.cache = .later
    let before = try size
    #expect(try connection.withSmallCache { try size } == before)
    connection.enlargeCache()
    #expect(try size == -65_536)
    #expect(try connection.withSmallCache { try size } == -2_000)
    #expect(try size == -65_536)
  }

  @Test func `a file that does not fit keeps its small cache`() throws {
    let before = try size
    try FileHandle(forUpdating: URL(fileURLWithPath: folder.file())).truncate(atOffset: 65 << 20)
    connection.cache = .later
    connection.enlargeCache()
    #expect(try connection.withSmallCache { try size } == before)
    #expect(try size == before)
  }

  @Test func `a cache size set by the program is kept`() throws {
    try connection.run("PRAGMA cache_size = -4000")
    connection.enlargeCache()
    #expect(try connection.withSmallCache { try size } == -4_000)
    #expect(try size == -4_000)
  }
}
