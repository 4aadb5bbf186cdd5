import StrataCSQLite
import StrataRowStore

/// How the records of a table are made up, and the pages in which they lie.
final class RecordFormat {
  /// The columns, in the order in which records have them.
  let names: [String]
  let pageSize: Int
  /// What of a page may be used. See https://sqlite.org/fileformat2.html#the_database_header
  let usableSize: Int
  private let schemaVersion: Int64
  /// Whether the records can be understood without SQLite, until it turns out that too many cannot.
  var isPlain: Bool

  /// - Parameter key: the column that is to be the key of the table's rows.
  fileprivate init(of table: String, key: String, at schemaVersion: Int64, _ connection: Connection) throws {
    let columns = try connection.rows(
      "SELECT name, upper(type), dflt_value, pk, hidden FROM pragma_table_xinfo(?)", [.text(table)])
    names = columns.map { if case .text(let name) = $0[0] { name } else { "" } }
    pageSize = Int(try connection.integer("PRAGMA page_size") ?? 0)
    var reserved: Int32 = -1
    let isKnown = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved) == SQLITE_OK
    usableSize = pageSize - Int(reserved)
    self.schemaVersion = schemaVersion
    isPlain =
      try isKnown && connection.value("PRAGMA encoding") == .text("UTF-8")
      && columns.allSatisfy { column in
        // Short records have the default for what they lack, and what is computed has no place in any.
        let isKey = column[0] == .text(key)
        return column[2] == .null && column[4] == .integer(0) && column[3] == .integer(isKey ? 1 : 0)
          && (!isKey || column[1] == .text("INTEGER"))
      }
  }

  fileprivate func isOf(_ version: Int64) -> Bool { schemaVersion == version }
}

extension Connection {
  /// Whether the file, with what its log adds, has 128 KiB or more.
  package var isLarge: Bool {
    get throws {
      try (integer("PRAGMA page_count") ?? 0) * (integer("PRAGMA page_size") ?? 0) >= 1 << 17
    }
  }

  /// The form of a table, as the schema of the open transaction says it.
  func form(of table: String, key: String) throws -> RecordFormat {
    let version = try integer("PRAGMA schema_version") ?? 0
    if let known = forms[table], known.isOf(version) { return known }
    let form = try RecordFormat(of: table, key: key, at: version, self)
    forms[table] = form
    return form
  }
}
