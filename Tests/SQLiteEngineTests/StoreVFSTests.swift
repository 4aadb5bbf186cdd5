import Foundation
import StrataCSQLite
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// The VFS of this framework's connections, over one that fails like a system without free file descriptors.
@Suite struct StoreVFSTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `connections use a separate VFS`() throws {
    let system = try #require(sqlite3_vfs_find(nil))
    let before = FailingVFS.systemCalls(of: system)
    let connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 1)
    try connection.run("PRAGMA journal_mode = WAL")
    try connection.run("CREATE TABLE t (a)")
    #expect(sqlite3_vfs_find(nil) == system)
    #expect(FailingVFS.systemCalls(of: system) == before)
    let name = try #require(StoreVFS.name)
    #expect(String(cString: name) == "strata-" + String(cString: system.pointee.zName))
    #expect(sqlite3_vfs_find(name) != system && StoreVFS.name == name)
  }

  @Test func `a database that opens only for reading is an error unless it may not be written`() throws {
    #expect(FileManager.default.createFile(atPath: folder.file(), contents: nil))
    let failing = try FailingVFS(folder)
    for (code, expected) in [EMFILE: SQLITE_CANTOPEN, EIO: SQLITE_CANTOPEN, EACCES: SQLITE_OK, EROFS: SQLITE_OK] {
      failing.failure = code
      var handle: OpaquePointer?
      defer { sqlite3_close_v2(handle) }
      #expect(failing.open(folder.file(), &handle) == expected, "\(code)")
      #expect(sqlite3_db_readonly(handle, "main") == (expected == SQLITE_OK ? 1 : -1))
    }
    failing.failure = 0
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    #expect(failing.open(folder.file(), &handle) == SQLITE_OK && sqlite3_db_readonly(handle, "main") == 0)
  }

  @Test func `a wal-index that opens only for reading is an error until the system recovers`() throws {
    let failing = try FailingVFS(folder)
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    #expect(failing.open(folder.file(), &handle) == SQLITE_OK)
    failing.indexFails = true
    #expect(sqlite3_exec(handle, "PRAGMA journal_mode = WAL; CREATE TABLE t (a)", nil, nil, nil) == SQLITE_CANTOPEN)
    failing.indexFails = false
    #expect(sqlite3_exec(handle, "PRAGMA journal_mode = WAL; CREATE TABLE t (a)", nil, nil, nil) == SQLITE_OK)
    #expect(FileManager.default.fileExists(atPath: folder.file() + "-wal"))
  }
}

/// A VFS over the default one whose files open for reading only on request.
private final class FailingVFS {
  /// The VFS and the state of its functions; never freed, as connections may refer to it.
  private struct Table {
    var base: sqlite3_vfs
    var system: UnsafeMutablePointer<sqlite3_vfs>
    var failure: Int32 = 0
    let index = UnsafeMutablePointer<Index>.allocate(capacity: 1)
  }

  /// The methods of a file whose wal-index opens for reading only while `fails`.
  private struct Index {
    /// The part that SQLite uses. Must be the first member.
    var methods: sqlite3_io_methods
    let own: UnsafePointer<sqlite3_io_methods>
    var fails = false
  }

  private let table: UnsafeMutablePointer<Table>
  private let name: UnsafePointer<CChar>

  /// The error number of opening for writing, or 0 for success.
  var failure: Int32 {
    get { table.pointee.failure }
    set { table.pointee.failure = newValue }
  }

  /// Whether the wal-index of the database that was opened last opens for reading only.
  var indexFails: Bool {
    get { table.pointee.index.pointee.fails }
    set { table.pointee.index.pointee.fails = newValue }
  }

  init(_ folder: TemporaryFolder) throws {
    let system = try #require(sqlite3_vfs_find(nil))
    table = .allocate(capacity: 1)
    table.initialize(to: Table(base: system.pointee, system: system))
    table.pointee.base.pNext = nil
    table.pointee.base.zName = UnsafePointer(strdup("failing-" + folder.file()))
    table.pointee.base.pAppData = UnsafeMutableRawPointer(table)
    table.pointee.base.xOpen = { FailingVFS.open(FailingVFS.table($0), $1, $2, $3, $4) }
    name = try #require(StoreVFS.name(over: UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vfs.self)))
  }

  func open(_ path: String, _ handle: inout OpaquePointer?) -> Int32 {
    sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, name)
  }

  private static func table(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> UnsafeMutablePointer<Table> {
    vfs!.pointee.pAppData.assumingMemoryBound(to: Table.self)
  }

  private static func open(
    _ table: UnsafeMutablePointer<Table>, _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: Int32, _ opened: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let system = table.pointee.system
    let failure = table.pointee.failure
    let readOnly = flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY
    let result = system.pointee.xOpen(system, path, file, failure == 0 ? flags : readOnly, opened)
    if result == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file { failToShare(file, table) }
    if failure != 0 { errno = failure }
    return result
  }

  /// Makes a file map its wal-index through the methods of an `Index`.
  private static func failToShare(_ file: UnsafeMutablePointer<sqlite3_file>, _ table: UnsafeMutablePointer<Table>) {
    let index = table.pointee.index
    index.initialize(to: Index(methods: file.pointee.pMethods.pointee, own: file.pointee.pMethods))
    index.pointee.methods.xShmMap = { file, region, size, extend, memory in
      let index = UnsafeRawPointer(file!.pointee.pMethods!).assumingMemoryBound(to: Index.self)
      let result = index.pointee.own.pointee.xShmMap(file, region, size, extend, memory)
      return result == SQLITE_OK && index.pointee.fails ? SQLITE_READONLY : result
    }
    file.pointee.pMethods = UnsafeRawPointer(index).assumingMemoryBound(to: sqlite3_io_methods.self)
  }

  /// The addresses of a VFS's system calls, by name.
  static func systemCalls(of vfs: UnsafeMutablePointer<sqlite3_vfs>) -> [String: UInt] {
    var calls: [String: UInt] = [:]
    var name = vfs.pointee.xNextSystemCall(vfs, nil)
    while let current = name {
      let call = vfs.pointee.xGetSystemCall(vfs, current)
      calls[String(cString: current)] = call.map { UInt(bitPattern: unsafeBitCast($0, to: Int.self)) } ?? 0
      name = vfs.pointee.xNextSystemCall(vfs, current)
    }
    return calls
  }
}
