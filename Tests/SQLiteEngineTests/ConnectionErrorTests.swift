import Foundation
import StrataRowStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Each error names the condition that did not hold, the path, and what would help.
@Suite struct ConnectionErrorTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func failure(_ path: String, _ mode: Connection.Mode = .create) -> StoreError? {
    #expect(throws: StoreError.self) {
      let connection = try Connection(path: path, mode: mode, busyTimeout: 0.1)
      try connection.run("CREATE TABLE t (a)")
    }
  }

  private func expect(
    _ error: StoreError?, _ code: StoreError.Code, _ words: String, path: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.code == code, sourceLocation: location)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")", sourceLocation: location)
    #expect(error?.message.contains(path) == true, sourceLocation: location)
    #expect(error?.cause is SQLiteFailure, sourceLocation: location)
  }

  /// SQLite waits 10 s for a log that another process, here stopped, has begun to recover.
  @Test func `a read fails while a stopped process recovers the log`() async throws {
    try await onOwnThread {
      let path = folder.file()
      let writer = try Connection(path: path, mode: .create, busyTimeout: 1)
      for statement in ["PRAGMA journal_mode = WAL", "CREATE TABLE t (a)"] { try writer.run(statement) }
      let index = try FileHandle(forUpdating: URL(fileURLWithPath: path + "-shm"))
      try index.write(contentsOf: Data(count: 136))
      // The writer's lock of a wal-index: see https://sqlite.org/walformat.html
      var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 120, l_len: 1, l_pid: 0)
      let setLock: Int32 = 37  // F_OFD_SETLK
      #expect(fcntl(index.fileDescriptor, setLock, &lock) == 0)
      let error = #expect(throws: StoreError.self) {
        try Connection(path: path, mode: .readWrite, busyTimeout: 0.1).run("SELECT * FROM t")
      }
      expect(error, .busy, "another process", path: path)
    }
  }

  @Test func `a missing folder is reported`() {
    let path = folder.file("missing/test.sqlite")
    expect(failure(path), .notOpen, "'\(folder.path)/missing' does not exist", path: path)
  }

  @Test func `an inaccessible folder is reported`() throws {
    let folder = try TemporaryFolder(in: URL(fileURLWithPath: "/tmp"))
    let closed = folder.file("closed")
    try #require(chmod(folder.path, 0o755) == 0 && mkdir(closed, 0) == 0)
    defer { chmod(closed, 0o700) }
    let path = folder.file("closed/inner/test.sqlite")
    let result = asStranger {
      Result { _ = try Connection(path: path, mode: .create, busyTimeout: 0.1) }
    }
    let error = #expect(throws: StoreError.self) { try result?.get() }
    #expect(error?.code == .permission)
    #expect(error?.message.contains("this user may not enter the folder '\(closed)'; check its permissions.") == true)
  }

  @Test func `a file instead of a folder is reported`() throws {
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("plain")))
    let path = folder.file("plain/test.sqlite")
    expect(failure(path), .notOpen, "is a file, not a folder", path: path)
  }

  /// Opening a FIFO would wait for a writer.
  @Test(arguments: ["", "-wal", "-shm", "-journal"]) func `a folder, a FIFO or a socket cannot be opened`(
    _ ending: String
  ) throws {
    for (mode, kind) in [(S_IFDIR, "a folder"), (S_IFIFO, "a FIFO"), (S_IFSOCK, "a socket")] {
      let path = folder.file("other.sqlite")
      let made = mode == S_IFDIR ? mkdir(path + ending, 0o700) : mknod(path + ending, mode | 0o600, 0)
      try #require(made == 0)
      defer { remove(path + ending) }
      for access in [Connection.Mode.create, .readWrite, .readOnly] {
        let error = failure(path, access)
        #expect(error?.code == .notOpen)
        let name = ending.isEmpty ? "it" : "'\(path)\(ending)'"
        #expect(error?.message.contains("\(name) is \(kind), not a file") == true, "\(error?.message ?? "")")
      }
    }
    // The target of a symbolic link counts.
    let fifo = folder.file("fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link") + ending, withDestinationPath: fifo)
    #expect(failure(folder.file("link"), .readOnly)?.message.contains("is a FIFO, not a file") == true)
  }

  @Test func `a missing file is reported when opened for reading`() {
    expect(failure(folder.file(), .readOnly), .notOpen, "the file does not exist", path: folder.file())
  }

  @Test func `a file that is not a database is refused`() throws {
    try Data(repeating: 7, count: 5_000).write(to: URL(fileURLWithPath: folder.file()))
    expect(failure(folder.file()), .corrupt, "is not an SQLite database", path: folder.file())
  }

  @Test func `a full store is reported and not changed`() throws {
    let connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    try connection.run("CREATE TABLE t (a)")
    try connection.run("PRAGMA max_page_count = 10")
    let error = #expect(throws: StoreError.self) {
      try connection.writing {
        for _ in 0..<100 { try connection.run("INSERT INTO t VALUES (zeroblob(3000))") }
      }
    }
    expect(error, .full, "Nothing was changed", path: folder.file())
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `a failed commit is reported as a failure to write`() throws {
    let connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    try connection.run("PRAGMA foreign_keys = ON")
    try connection.run("CREATE TABLE t (a PRIMARY KEY, b REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
    let error = #expect(throws: StoreError.self) {
      try connection.writing { try connection.run("INSERT INTO t VALUES (1, 2)") }
    }
    #expect(error?.message.hasPrefix("Cannot write the store '\(folder.file())'") == true, "\(error?.message ?? "")")
    #expect(error?.message.hasSuffix("in: COMMIT)") == true)
  }

  @Test func `a lock held by another connection is reported after the timeout`() throws {
    let holder = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    try holder.run("CREATE TABLE t (a)")
    let waiting = try Connection(path: folder.file(), mode: .readWrite, busyTimeout: 0.2)
    let start = Connection.seconds
    try holder.writing {
      let error = #expect(throws: StoreError.self) { try waiting.writing {} }
      expect(error, .busy, "another process kept it locked", path: folder.file())
    }
    #expect(Connection.seconds - start >= 0.2)
    try waiting.writing {}
  }

  @Test func `writing to a read-only file is reported`() throws {
    _ = try Connection(path: folder.file(), mode: .create, busyTimeout: 1).run("CREATE TABLE t (a)")
    let reader = try Connection(path: folder.file(), mode: .readOnly, busyTimeout: 1)
    let error = #expect(throws: StoreError.self) { try reader.run("INSERT INTO t VALUES (1)") }
    expect(error, .readOnly, "for reading only", path: folder.file())
  }

  @Test func `an immutable file is read without locks`() throws {
    let path = folder.file("a b%?.sqlite")
    let writer = try Connection(path: path, mode: .create, busyTimeout: 1)
    try writer.run("CREATE TABLE t (a)")
    writer.close()
    let reader = try Connection(path: path, mode: .immutable, busyTimeout: 1)
    #expect(try reader.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `a missing table is reported as damage`() throws {
    let connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    let error = #expect(throws: StoreError.self) { try connection.run("SELECT ZNAME FROM ZQUAKE") }
    expect(error, .corrupt, "no such table", path: folder.file())
  }
}
