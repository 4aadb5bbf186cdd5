import Foundation
// @preconcurrency: a variable of SQLite's is read while no other thread uses SQLite.
@preconcurrency import GRDBSQLite

/// SQLite's state of the process, and a connection of a program that uses SQLite itself, as text by name.
public enum SQLiteFacts {
  public static func current(in folder: URL) throws -> [String: String] {
    var facts: [String: String] = [:]
    guard let vfs = sqlite3_vfs_find(nil) else { throw Failure(description: "SQLite has no default VFS") }
    facts["default VFS"] = "\(String(cString: vfs.pointee.zName)) version \(vfs.pointee.iVersion)"
    facts["default VFS's address"] = ProcessFacts.location(of: UInt(bitPattern: vfs))
    facts["default VFS's file size"] = String(vfs.pointee.szOsFile)
    facts["default VFS's open"] = location(of: vfs.pointee.xOpen)
    var name = vfs.pointee.xNextSystemCall(vfs, nil)
    while let current = name {
      facts["system call \(String(cString: current))"] = location(of: vfs.pointee.xGetSystemCall(vfs, current))
      name = vfs.pointee.xNextSystemCall(vfs, current)
    }
    facts["soft heap limit"] = String(sqlite3_soft_heap_limit64(-1))
    facts["hard heap limit"] = String(sqlite3_hard_heap_limit64(-1))
    facts["temporary folder"] = sqlite3_temp_directory.map { String(cString: $0) } ?? "none"
    for (name, value) in try connection(at: folder.appendingPathComponent("Plain.sqlite")) {
      facts["SQLite: \(name)"] = value
    }
    return facts
  }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
    public init(description: String) { self.description = description }
  }

  private static func location<Function>(of function: Function?) -> String {
    // A C function is a pointer.
    ProcessFacts.location(of: function.map { unsafeBitCast($0, to: UInt.self) } ?? 0)
  }

  /// A plain connection's settings, and the files that it leaves when it is closed.
  private static func connection(at file: URL) throws -> [String: String] {
    var handle: OpaquePointer?
    guard sqlite3_open(file.path, &handle) == SQLITE_OK, let handle else {
      throw Failure(description: "cannot open \(file.path)")
    }
    let sql = "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)"
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(description: String(cString: sqlite3_errmsg(handle)))
    }
    var facts = methods(of: handle)
    for pragma in pragmas { facts[pragma] = value(of: "PRAGMA \(pragma)", handle) }
    for list in ["function_list", "module_list", "collation_list"] {
      facts[list] = value(of: "SELECT group_concat(name) FROM (SELECT name FROM pragma_\(list) ORDER BY 1)", handle)
    }
    facts["log while open"] = String(FileManager.default.fileExists(atPath: file.path + "-wal"))
    sqlite3_close(handle)
    facts["log when closed"] = String(FileManager.default.fileExists(atPath: file.path + "-wal"))
    return facts
  }

  static let pragmas = [
    "mmap_size", "wal_autocheckpoint", "busy_timeout", "journal_mode", "synchronous", "cache_size", "temp_store",
    "checkpoint_fullfsync", "journal_size_limit", "foreign_keys", "trusted_schema", "secure_delete", "locking_mode",
  ]

  /// The locations of the methods of a connection's open files.
  static func methods(of handle: OpaquePointer) -> [String: String] {
    var facts: [String: String] = [:]
    for (name, which) in [("database", SQLITE_FCNTL_FILE_POINTER), ("log", SQLITE_FCNTL_JOURNAL_POINTER)] {
      var file: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(handle, "main", which, &file)
      let methods = file?.pointee.pMethods
      facts["\(name)'s methods"] = ProcessFacts.location(of: UInt(bitPattern: methods))
      facts["\(name)'s read"] = location(of: methods?.pointee.xRead)
    }
    return facts
  }

  private static func value(of sql: String, _ handle: OpaquePointer) -> String {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW,
      let text = sqlite3_column_text(statement, 0)
    else { return "none" }
    return String(cString: text)
  }
}
