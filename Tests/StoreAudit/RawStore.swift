import Foundation
import StrataCSQLite

/// A store's file read with plain SQLite, independently of the code under test.
final class RawStore {
  /// A value as stored in the file.
  enum Value: Hashable, CustomStringConvertible {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)

    var description: String {
      switch self {
      case .null: "NULL"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text): "'\(text)'"
      case .blob(let data): "\(data.count) bytes"
      }
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let handle: OpaquePointer

  init(_ url: URL) throws {
    var handle: OpaquePointer?
    guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
      throw Failure(description: "\(url.path) cannot be opened")
    }
    self.handle = handle
    sqlite3_busy_timeout(handle, 60_000)
  }

  deinit { sqlite3_close_v2(handle) }

  func rows(_ sql: String) throws -> [[Value]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(description: "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
    defer { sqlite3_finalize(statement) }
    var rows: [[Value]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
    }
    return rows
  }

  func integers(_ sql: String) throws -> [Int64] {
    try rows(sql).compactMap { if case .integer(let number)? = $0.first { number } else { nil } }
  }

  func texts(_ sql: String) throws -> [String] {
    try rows(sql).compactMap { if case .text(let text)? = $0.first { text } else { nil } }
  }

  /// A table's rows by key, each with its values by column.
  func table(_ name: String, entity: Int64) throws -> [Int64: [String: Value]] {
    let columns = try rows("PRAGMA table_info(\"\(name)\")").compactMap { row -> String? in
      if case .text(let name) = row[1] { name } else { nil }
    }
    var found: [Int64: [String: Value]] = [:]
    for row in try rows("SELECT Z_PK, * FROM \"\(name)\" WHERE Z_ENT = \(entity)") {
      guard case .integer(let key) = row[0] else { continue }
      found[key] = Dictionary(uniqueKeysWithValues: zip(columns, row.dropFirst()))
    }
    return found
  }

  private static func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: .text(String(cString: sqlite3_column_text(statement, column)))
    case SQLITE_BLOB:
      .blob(
        sqlite3_column_blob(statement, column).map {
          Data(bytes: $0, count: Int(sqlite3_column_bytes(statement, column)))
        } ?? Data())
    default: .null
    }
  }
}
