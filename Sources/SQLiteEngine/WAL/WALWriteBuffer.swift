import StrataCSQLite
import Glibc

/// A WAL file that passes a commit's writes to the kernel in one call.
///
/// SQLite writes each page of a commit with two calls, header and content, at consecutive offsets: half the time of
/// saving one object. This file buffers them until SQLite syncs at the commit, which happens before the commit becomes
/// visible in the wal-index; a failed sync fails the commit.
///
/// That sync is all that `synchronous = FULL` adds to NORMAL. So a buffering connection runs under FULL, and the file
/// answers the commit's sync without waiting for the disk. The syncs that NORMAL performs too, before a checkpoint and
/// when the WAL restarts, carry another flag because of `checkpoint_fullfsync`, and do wait.
/// See https://sqlite.org/c3ref/io_methods.html and https://sqlite.org/vfs.html
struct WALWriteBuffer {
  /// What SQLite sees of the file; must be the first member.
  private var base = sqlite3_file()
  /// The file as the default VFS opened it; it follows this one in memory.
  private let file: UnsafeMutablePointer<sqlite3_file>
  private var bytes: UnsafeMutableRawPointer?
  private var start: Int64 = 0
  private var count: Int32 = 0
  /// Whether writes are buffered. False until the connection is known to sync at each commit.
  private var isBuffering = false

  /// SQLite's default VFS writes less than 128 KiB at once.
  private static let capacity: Int32 = 124 << 10

  private var methods: sqlite3_io_methods { file.pointee.pMethods.pointee }

  private mutating func write(_ source: UnsafeRawPointer, length: Int32, at offset: Int64) -> Int32 {
    guard isBuffering, length <= Self.capacity else {
      let result = flush()
      return result == SQLITE_OK ? methods.xWrite(file, source, length, offset) : result
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
    return methods.xWrite(file, bytes, length, start)
  }

  private mutating func sync(_ flags: Int32) -> Int32 {
    let result = flush()
    let isOfCommit = isBuffering && flags & 0xF != SQLITE_SYNC_FULL
    return result != SQLITE_OK || isOfCommit ? result : methods.xSync(file, flags)
  }

  private mutating func close() -> Int32 {
    let result = flush()
    let closed = methods.xClose(file)
    bytes?.deallocate()
    bytes = nil
    return result == SQLITE_OK ? closed : result
  }
}

/// The file's methods as SQLite calls them.
extension WALWriteBuffer {
  private typealias Handle = UnsafeMutablePointer<sqlite3_file>

  private static func of(_ file: Handle?) -> UnsafeMutablePointer<WALWriteBuffer> {
    UnsafeMutableRawPointer(file!).assumingMemoryBound(to: WALWriteBuffer.self)
  }

  // Immutable once initialised; SQLite reads it on any thread.
  nonisolated(unsafe) private static let table: UnsafeMutablePointer<sqlite3_io_methods> = {
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xClose = { of($0).pointee.close() }
    methods.xRead = { handle, target, length, offset in
      let result = of(handle).pointee.flush()
      let log = of(handle).pointee
      return result == SQLITE_OK ? log.methods.xRead(log.file, target, length, offset) : result
    }
    methods.xWrite = { of($0).pointee.write($1!, length: $2, at: $3) }
    methods.xTruncate = { handle, size in
      let result = of(handle).pointee.flush()
      let log = of(handle).pointee
      return result == SQLITE_OK ? log.methods.xTruncate(log.file, size) : result
    }
    methods.xSync = { of($0).pointee.sync($1) }
    methods.xFileSize = { handle, size in
      let result = of(handle).pointee.flush()
      let log = of(handle).pointee
      return result == SQLITE_OK ? log.methods.xFileSize(log.file, size) : result
    }
    methods.xLock = { of($0).pointee.methods.xLock(of($0).pointee.file, $1) }
    methods.xUnlock = { of($0).pointee.methods.xUnlock(of($0).pointee.file, $1) }
    methods.xCheckReservedLock = { of($0).pointee.methods.xCheckReservedLock(of($0).pointee.file, $1) }
    methods.xFileControl = { of($0).pointee.methods.xFileControl(of($0).pointee.file, $1, $2) }
    methods.xSectorSize = { of($0).pointee.methods.xSectorSize(of($0).pointee.file) }
    methods.xDeviceCharacteristics = { of($0).pointee.methods.xDeviceCharacteristics(of($0).pointee.file) }
    table.initialize(to: methods)
    return table
  }()

  /// Opens a WAL; the default VFS opens the underlying file.
  fileprivate static func open(
    _ system: UnsafeMutablePointer<sqlite3_vfs>, _ name: UnsafePointer<CChar>?,
    _ handle: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32, _ given: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let file = (UnsafeMutableRawPointer(handle) + MemoryLayout<WALWriteBuffer>.stride)
      .assumingMemoryBound(to: sqlite3_file.self)
    let result = system.pointee.xOpen(system, name, file, flags, given)
    of(handle).initialize(to: WALWriteBuffer(file: file))
    // SQLite calls xClose only if there are methods, even after a failed xOpen.
    if file.pointee.pMethods != nil { handle.pointee.pMethods = UnsafePointer(table) }
    return result
  }

  private init(file: UnsafeMutablePointer<sqlite3_file>) { self.file = file }

  /// Starts buffering in a WAL that this VFS opened; returns false for any other file.
  static func start(in file: UnsafeMutablePointer<sqlite3_file>) -> Bool {
    guard file.pointee.pMethods == UnsafePointer(table) else { return false }
    of(file).pointee.isBuffering = true
    return true
  }
}

/// The default VFS, except that WAL files are opened as `WALWriteBuffer`.
private struct BufferingVFS {
  var base: sqlite3_vfs
  let system: UnsafeMutablePointer<sqlite3_vfs>

  /// Registers the VFS over the current default one if needed.
  /// - Returns: its name; nil if there is no default VFS.
  static func name() -> UnsafePointer<CChar>? {
    guard let system = sqlite3_vfs_find(nil), let systemName = system.pointee.zName else { return nil }
    let name = "buffering-" + String(cString: systemName)
    if let known = sqlite3_vfs_find(name) { return known.pointee.zName }
    // Never freed: connections refer to it. Two threads that race here register two of the same name; SQLite finds the
    // later one, and both work.
    let vfs = UnsafeMutablePointer<BufferingVFS>.allocate(capacity: 1)
    vfs.initialize(to: BufferingVFS(base: system.pointee, system: system))
    vfs.pointee.base.pNext = nil
    vfs.pointee.base.zName = UnsafePointer(strdup(name))
    vfs.pointee.base.szOsFile += Int32(MemoryLayout<WALWriteBuffer>.stride)
    vfs.pointee.base.xOpen = { vfs, name, file, flags, given in
      let system = UnsafeMutableRawPointer(vfs!).assumingMemoryBound(to: BufferingVFS.self).pointee.system
      guard flags & SQLITE_OPEN_WAL != 0, let file else {
        return system.pointee.xOpen(system, name, file, flags, given)
      }
      return WALWriteBuffer.open(system, name, file, flags, given)
    }
    sqlite3_vfs_register(&vfs.pointee.base, 0)
    return vfs.pointee.base.zName
  }
}

extension Connection {
  /// The VFS for a connection that will call `bufferWAL()`.
  static var bufferingVFS: UnsafePointer<CChar>? { BufferingVFS.name() }

  /// Buffers the WAL writes of each commit. Does nothing unless the connection was opened for it and is in WAL mode.
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
