import StrataCSQLite
import StrataRowStore

/// The layout of a table's records and of the pages that contain them.
final class RecordFormat {
  /// The columns, in record order.
  let names: [String]
  let pageSize: Int
  /// The usable bytes of a page. See https://sqlite.org/fileformat2.html#the_database_header
  let usableSize: Int
  private let schemaVersion: Int64
  /// Whether the records can be decoded without SQLite; cleared once too many of them could not.
  var isPlain: Bool

  /// - Parameter key: the column expected to be the rowid alias.
  fileprivate init(of table: String, key: String, at schemaVersion: Int64, _ connection: Connection) throws {
    let columns = try connection.rows(
      "SELECT name, upper(type), dflt_value, pk, hidden FROM pragma_table_xinfo(?)", bindings: [.text(table)])
    names = columns.map { if case .text(let name) = $0[0] { name } else { "" } }
    pageSize = Int(try connection.integer("PRAGMA page_size") ?? 0)
    var reserved: Int32 = -1
    let isKnown = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved) == SQLITE_OK
    usableSize = pageSize - Int(reserved)
    self.schemaVersion = schemaVersion
    isPlain =
      try isKnown && connection.value("PRAGMA encoding") == .text("UTF-8")
      && columns.allSatisfy { column in
        // A short record takes the default for the columns it lacks, and generated columns are not stored.
        let isKey = column[0] == .text(key)
        return column[2] == .null && column[4] == .integer(0) && column[3] == .integer(isKey ? 1 : 0)
          && (!isKey || column[1] == .text("INTEGER"))
      }
  }

  fileprivate func isOf(_ version: Int64) -> Bool { schemaVersion == version }
}

extension Connection {
  /// Whether the file plus its WAL has at least 128 KiB.
  package var isLarge: Bool {
    get throws {
      try (integer("PRAGMA page_count") ?? 0) * (integer("PRAGMA page_size") ?? 0) >= 1 << 17
    }
  }

  /// The record format of a table, by the schema that the open transaction sees.
  func format(of table: String, key: String) throws -> RecordFormat {
    let version = try integer("PRAGMA schema_version") ?? 0
    if let known = recordFormats[table], known.isOf(version) { return known }
    let format = try RecordFormat(of: table, key: key, at: version, self)
    recordFormats[table] = format
    return format
  }
}
