import Foundation
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// A WAL with buffered writes looks like any other WAL to other connections.
@Suite struct WALWriteBufferTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func writer(cachePages: Int = 500) throws -> Connection {
    let connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    _ = try connection.value("PRAGMA journal_mode = wal")
    try connection.run("PRAGMA wal_autocheckpoint = 0")
    try connection.run("PRAGMA cache_size = \(cachePages)")
    try connection.bufferWAL()
    try connection.run("CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, b)")
    return connection
  }

  private func reader() throws -> Connection { try Connection(path: folder.file(), mode: .readWrite, busyTimeout: 1) }

  private func insert(_ row: Int, _ text: String, _ connection: Connection) throws {
    try connection.run("INSERT INTO t VALUES (?, ?)", bindings: [.integer(Int64(row)), .text(text)])
  }

  private func fill(_ connection: Connection, _ rows: Range<Int>) throws {
    try connection.writing {
      for row in rows { try insert(row, String(repeating: "x", count: 900), connection) }
    }
  }

  @Test func `commits are immediately visible to others`() throws {
    let (writer, reader) = (try writer(), try reader())
    for row in 0..<300 {
      try fill(writer, row..<row + 1)
      #expect(try reader.integer("SELECT count(*) FROM t WHERE length(b) = 900") == Int64(row + 1))
    }
    #expect(try reader.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test func `the writer reads its uncommitted changes`() throws {
    // With a cache of ten pages, most of the transaction reaches the log before the commit.
    let (writer, reader) = (try writer(cachePages: 10), try reader())
    try writer.writing {
      for row in 0..<2_000 { try insert(row, String(repeating: "y", count: 900), writer) }
      for row in stride(from: 0, to: 2_000, by: 7) {
        try writer.run("UPDATE t SET b = ? WHERE a = ?", bindings: [.text("short"), .integer(Int64(row))])
      }
      #expect(try writer.integer("SELECT count(*) FROM t WHERE b = 'short'") == 286)
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
    }
    #expect(try reader.integer("SELECT count(*) FROM t WHERE b = 'short'") == 286)
    #expect(try reader.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test func `a rollback leaves nothing in the WAL`() throws {
    let (writer, reader) = (try writer(cachePages: 10), try reader())
    try fill(writer, 0..<10)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try writer.writing {
        try writer.run("UPDATE t SET b = 'lost'")
        for row in 10..<2_000 { try insert(row, "lost", writer) }
        throw Stop()
      }
    }
    try fill(writer, 10..<20)
    #expect(try reader.integer("SELECT count(*) FROM t WHERE length(b) = 900") == 20)
    #expect(try reader.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test func `checkpoints copy the whole log into the file`() throws {
    let writer = try writer()
    let other = try reader()
    for round in 0..<5 {
      try fill(writer, round * 100..<(round + 1) * 100)
      _ = try other.integer("SELECT count(*) FROM t")
      let (pages, copied) = try other.checkpoint()
      #expect(pages == copied && pages > 0)
    }
    writer.setCheckpointsOnClose(true)
    writer.close()
    other.close()
    #expect(!FileManager.default.fileExists(atPath: folder.file() + "-wal"))
    #expect(try reader().integer("SELECT count(*) FROM t WHERE length(b) = 900") == 500)
  }

  @Test func `the log of a dead writer is read by the next connection`() throws {
    let writer = try writer()
    try fill(writer, 0..<50)
    // The state that a killed process leaves: the files as they are, never closed.
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder.file() + ending, toPath: folder.file("left.sqlite") + ending)
    }
    let next = try Connection(path: folder.file("left.sqlite"), mode: .readWrite, busyTimeout: 1)
    #expect(try next.integer("SELECT count(*) FROM t WHERE length(b) = 900") == 50)
    #expect(try next.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test func `a file without a WAL is written directly`() throws {
    let connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    try connection.bufferWAL()
    try connection.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
    try fill(connection, 0..<10)
    #expect(try reader().integer("SELECT count(*) FROM t") == 10)
    #expect(try connection.integer("PRAGMA checkpoint_fullfsync") == 0)
  }

  /// Under NORMAL, SQLite does not sync at a commit, so buffered writes would remain in memory.
  @Test func `a connection without a buffer writes each commit to the WAL`() throws {
    let connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    _ = try connection.value("PRAGMA journal_mode = wal")
    try connection.run("PRAGMA synchronous = NORMAL")
    try connection.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
    try fill(connection, 0..<10)
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder.file() + ending, toPath: folder.file("copy.sqlite") + ending)
    }
    let next = try Connection(path: folder.file("copy.sqlite"), mode: .readWrite, busyTimeout: 1)
    #expect(try next.integer("SELECT count(*) FROM t") == 10)
    #expect(try connection.integer("PRAGMA synchronous") == 1)
  }
}
