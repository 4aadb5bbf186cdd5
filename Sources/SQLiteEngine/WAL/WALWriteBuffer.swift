import Glibc
import StrataCSQLite

/// A WAL file that passes a commit's writes to the kernel in one call.
///
/// SQLite writes each page of a commit with two calls, header and content, at consecutive offsets: half the time of
/// saving one object. This file buffers them until SQLite syncs at the commit, which happens before the commit becomes
/// visible in the wal-index; a failed sync fails the commit.
///
/// That sync is all that `synchronous = FULL` adds to NORMAL. So a buffering connection runs under FULL, and the file
/// completes the commit's sync without waiting for the disk. The syncs that NORMAL performs too, before a checkpoint
/// and when the WAL restarts, carry another flag because of `checkpoint_fullfsync`, and do wait.
/// See https://sqlite.org/c3ref/io_methods.html and https://sqlite.org/vfs.html
struct WALWriteBuffer {
  /// The part that SQLite and `VFSFile` know; must be the first member.
  private let header: VFSFile
  private var bytes: UnsafeMutableRawPointer?
  private var start: Int64 = 0
  private var count: Int32 = 0
  /// Whether writes are buffered. False until the connection is known to sync at each commit.
  private var isBuffering = false

  /// SQLite's default VFS writes less than 128 KiB in one call.
  private static let capacity: Int32 = 124 << 10

  /// The file as the default VFS opened it.
  private var file: VFSFile.Handle { header.file }
  private var methods: UnsafePointer<sqlite3_io_methods> { file.pointee.pMethods }

  private mutating func write(_ source: UnsafeRawPointer, length: Int32, at offset: Int64) -> Int32 {
    guard isBuffering, length <= Self.capacity else {
      let result = flush()
      return result == SQLITE_OK ? methods.pointee.xWrite(file, source, length, offset) : result
    }
    if count > 0, offset != start + Int64(count) || count + length > Self.capacity {
      let result = flush()
      if result != SQLITE_OK { return result }
    }
    if count == 0 { start = offset }
    let bytes = bytes ?? .allocate(byteCount: Int(Self.capacity), alignment: 16)
    self.bytes = bytes
    (bytes + Int(count)).copyMemory(from: source, byteCount: Int(length))
    count += length
    return SQLITE_OK
  }

  /// Writes the buffer. What cannot be written is dropped: the statement or commit fails, and SQLite rewrites that part
  /// of the log.
  private mutating func flush() -> Int32 {
    guard count > 0, let bytes else { return SQLITE_OK }
    let length = count
    count = 0
    return methods.pointee.xWrite(file, bytes, length, start)
  }

  private mutating func sync(_ flags: Int32) -> Int32 {
    let result = flush()
    let isOfCommit = isBuffering && flags & 0xF != SQLITE_SYNC_FULL
    return result != SQLITE_OK || isOfCommit ? result : methods.pointee.xSync(file, flags)
  }

  private mutating func close() -> Int32 {
    let result = flush()
    let closed = methods.pointee.xClose(file)
    bytes?.deallocate()
    bytes = nil
    return result == SQLITE_OK ? closed : result
  }
}

/// The file's methods as SQLite calls them.
extension WALWriteBuffer {
  private static func of(_ file: VFSFile.Handle?) -> UnsafeMutablePointer<WALWriteBuffer> {
    UnsafeMutableRawPointer(file!).assumingMemoryBound(to: WALWriteBuffer.self)
  }

  // Immutable once initialized; SQLite reads it on any thread.
  nonisolated(unsafe) private static let table: UnsafeMutablePointer<sqlite3_io_methods> = {
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var methods = VFSFile.forwarding
    methods.xClose = { of($0).pointee.close() }
    methods.xRead = { handle, target, length, offset in
      let result = of(handle).pointee.flush()
      let file = below(handle)
      return result == SQLITE_OK ? file.pointee.pMethods.pointee.xRead(file, target, length, offset) : result
    }
    methods.xWrite = { of($0).pointee.write($1!, length: $2, at: $3) }
    methods.xTruncate = { handle, size in
      let result = of(handle).pointee.flush()
      let file = below(handle)
      return result == SQLITE_OK ? file.pointee.pMethods.pointee.xTruncate(file, size) : result
    }
    methods.xSync = { of($0).pointee.sync($1) }
    methods.xFileSize = { handle, size in
      let result = of(handle).pointee.flush()
      let file = below(handle)
      return result == SQLITE_OK ? file.pointee.pMethods.pointee.xFileSize(file, size) : result
    }
    table.initialize(to: methods)
    return table
  }()

  /// Initializes our part of a WAL that the default VFS opened.
  static func initialize(_ handle: VFSFile.Handle, file: VFSFile.Handle) {
    of(handle).initialize(to: WALWriteBuffer(header: VFSFile(file: file, path: nil)))
    handle.pointee.pMethods = UnsafePointer(table)
  }

  private init(header: VFSFile) { self.header = header }

  /// Whether a file is a WAL that `StoreVFS` opened, rather than a rollback journal.
  static func isLog(_ file: UnsafeMutablePointer<sqlite3_file>) -> Bool {
    file.pointee.pMethods == UnsafePointer(table)
  }

  /// Starts buffering in a WAL that `StoreVFS` opened; returns false for any other file.
  static func start(in file: UnsafeMutablePointer<sqlite3_file>) -> Bool {
    guard isLog(file) else { return false }
    of(file).pointee.isBuffering = true
    return true
  }
}

extension Connection {
  /// Buffers the WAL writes of each commit. Does nothing unless the connection is in WAL mode.
  /// Durability is that of `synchronous = NORMAL`.
  package func bufferWAL() throws {
    // The first read opens the WAL.
    _ = try integer("SELECT count(*) FROM sqlite_master")
    guard try value("PRAGMA journal_mode") == .text("wal"), let log = openFile(SQLITE_FCNTL_JOURNAL_POINTER) else {
      return
    }
    try run("PRAGMA checkpoint_fullfsync = 1")
    try run("PRAGMA synchronous = FULL")
    guard try integer("PRAGMA synchronous") == 2, try integer("PRAGMA checkpoint_fullfsync") == 1,
      WALWriteBuffer.start(in: log)
    else { return try run("PRAGMA synchronous = NORMAL") }
  }
}
