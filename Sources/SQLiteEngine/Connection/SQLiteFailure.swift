import StrataCSQLite

/// An SQLite error, the cause of a `StoreError`. Codes: https://sqlite.org/rescode.html
package struct SQLiteFailure: Error, Hashable, CustomStringConvertible {
  /// The extended result code; its low 8 bits are the primary one.
  package let code: Int32
  package let message: String
  /// The `errno` of the failed system call; 0 if none failed.
  package let systemError: Int32
  /// The SQL of the statement, if there was one.
  package let sql: String?

  /// SQLITE_IOERR_SHORT_READ, a macro that Swift does not import.
  static let shortRead = SQLITE_IOERR | 2 << 8

  /// The error code of this package's functions for invalid arguments; the message gives the reason. SQLite passes on
  /// the codes that functions return.
  static let refusedByFunction = SQLITE_ERROR | 200 << 8

  package var primaryCode: Int32 { code & 0xFF }

  /// Whether the file lacks what it must have. Of one that was cut to nothing, SQLite says that it has no such table.
  var isDamage: Bool {
    switch primaryCode {
    case SQLITE_CORRUPT, SQLITE_NOTADB: true
    case SQLITE_ERROR: message.hasPrefix("no such table")
    default: code == Self.shortRead
    }
  }

  /// Whether a unique index or primary key was violated.
  package var isUniqueness: Bool {
    code == SQLITE_CONSTRAINT | 8 << 8 || code == SQLITE_CONSTRAINT | 6 << 8
  }

  /// Whether another connection has a lock that is needed.
  package var isBusy: Bool { primaryCode == SQLITE_BUSY }

  /// Whether a constraint of any kind was violated.
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

  /// Whether something had to be written that may not be.
  package var isReadOnly: Bool { primaryCode == SQLITE_READONLY }

  package var description: String {
    "SQLite \(code): \(message)" + (sql.map { " in: \($0)" } ?? "")
  }
}
