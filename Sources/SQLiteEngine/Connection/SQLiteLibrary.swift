import StrataCSQLite

/// The SQLite library that the process uses.
package enum SQLiteLibrary {
  /// "3.40.1".
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// 3,040,001 for 3.40.1.
  package static var versionNumber: Int32 { sqlite3_libversion_number() }

  /// The threading mode of its build: 0 for a single thread, 1 serialized, 2 for several threads.
  /// See https://sqlite.org/threadsafe.html
  package static var threadSafety: Int32 { sqlite3_threadsafe() }

  /// Whether it was built with an option, named without "SQLITE_".
  package static func hasOption(_ name: String) -> Bool { sqlite3_compileoption_used(name) != 0 }
}
