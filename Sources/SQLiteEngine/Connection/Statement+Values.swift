import Foundation
import StrataCSQLite
import StrataRowStore
import StrataSQLText

extension Statement {
  /// SQLITE_TRANSIENT: tells SQLite to copy the bytes.
  static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// Binds values to the parameters from the first. Texts of the previous call share the same storage and become
  /// invalid:
  /// a parameter that had one must be bound again before the statement runs.
  package func bind(_ values: [StoredValue]) throws {
    var used = 0
    for (index, value) in values.enumerated() {
      if case .text(var text) = value, text.withUTF8({ bindShort($0, at: index + 1, used: &used) }) { continue }
      try bind(value, at: index + 1)
    }
  }

  /// Copies a text into the statement's own storage and binds it there until the next values are bound; returns false
  /// if the storage is full.
  private func bindShort(_ text: UnsafeBufferPointer<UInt8>, at parameter: Int, used: inout Int) -> Bool {
    guard text.count <= room.count - used else { return false }
    // The text has bytes, so the storage has an address.
    let start = room.baseAddress.unsafelyUnwrapped + used
    if let bytes = text.baseAddress { start.copyMemory(from: bytes, byteCount: text.count) }
    used += text.count
    return sqlite3_bind_text64(
      handle, Int32(parameter), start.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil, UInt8(SQLITE_UTF8))
      == SQLITE_OK
  }

  /// Binds a value to a parameter, numbered from 1.
  package func bind(_ value: StoredValue, at parameter: Int) throws {
    let parameter = Int32(parameter)
    let result =
      switch value {
      case .null: sqlite3_bind_null(handle, parameter)
      case .integer(let number): sqlite3_bind_int64(handle, parameter, number)
      case .real(let number): sqlite3_bind_double(handle, parameter, number)
      case .text(var text):
        text.withUTF8 {
          sqlite3_bind_text64(
            handle, parameter, UnsafeRawPointer($0.baseAddress ?? Self.empty).assumingMemoryBound(to: CChar.self),
            UInt64($0.count), Self.copied, UInt8(SQLITE_UTF8))
        }
      case .blob(let bytes):
        bytes.withUnsafeBytes {
          sqlite3_bind_blob64(
            handle, parameter, $0.baseAddress ?? UnsafeRawPointer(Self.empty), UInt64($0.count), Self.copied)
        }
      case .list(let list): CArrayTable.bind(list, to: handle, at: parameter)
      }
    guard result == SQLITE_OK else {
      throw StoreError(
        .unsupported, "SQLite takes no value for parameter \(parameter) of: \(text)",
        cause: SQLiteFailure(code: result, message: String(cString: sqlite3_errstr(result)), systemError: 0, sql: text))
    }
  }

  /// Binds an integer to a parameter, numbered from 1.
  package func bind(_ number: Int64, at parameter: Int) { sqlite3_bind_int64(handle, Int32(parameter), number) }

  /// Binds a number to a parameter, numbered from 1.
  package func bind(_ number: Double, at parameter: Int) { sqlite3_bind_double(handle, Int32(parameter), number) }

  /// Binds NULL to a parameter, numbered from 1.
  package func bindNull(at parameter: Int) { sqlite3_bind_null(handle, Int32(parameter)) }

  /// The value of a column, numbered from 0, in the current row.
  package func value(_ column: Int) -> StoredValue {
    let index = Int32(column)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(integer(column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT: return .text(text(column) ?? "")
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, index)
      return .blob(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))))
    default: return .null
    }
  }

  package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  package func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

  /// The text of a column in the current row; nil for NULL.
  package func text(_ column: Int) -> String? {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// An address for empty values: SQLite treats a null pointer as NULL. Unsafe only by type: never read or written.
  nonisolated(unsafe) static let empty = UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
}
