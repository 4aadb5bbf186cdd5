import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Reads numbers, bytes and values from an input. After its end, it returns 0, an empty array and NULL.
struct InputReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func integer() -> Int64 {
    Int64(bitPattern: (0..<8).reduce(UInt64(0)) { number, _ in number << 8 | UInt64(byte()) })
  }

  /// Reads a count and as many bytes.
  mutating func bytes() -> [UInt8] {
    let count = Int(byte())
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Reads a value of any type. Text is returned as a blob, because it may not be valid UTF-8: see `isText`.
  mutating func value() -> (value: StoredValue, isText: Bool) {
    switch byte() % 7 {
    case 0: (.null, false)
    case 1: (.integer(Int64(Int8(bitPattern: byte()))), false)
    case 2: (.integer(integer()), false)
    case 3: (.real(Double(bitPattern: UInt64(bitPattern: integer()))), false)
    case 4: (.real(Double(Int8(bitPattern: byte())) / 4), false)
    case 5: (.blob(bytes()), true)
    default: (.blob(bytes()), false)
    }
  }
}

extension InputReader {
  /// Inserts a row with values of any kind in any column, unless its key is taken or a value does not fit its column.
  /// - Parameter defaultValues: the values that columns usually have.
  mutating func insert(
    into table: String, on connection: Connection, key: Int64, defaultValues: [String: Int64] = [:]
  ) throws {
    let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)') WHERE name <> 'Z_PK'")
      .compactMap { row in if case .text(let name) = row[0] { name } else { nil } }
    // Each column has two parameters: whether its bytes are a text, and the value.
    let values = columns.indices.map { column in
      "CASE WHEN ?\(2 * column + 2) THEN CAST(?\(2 * column + 3) AS TEXT) ELSE ?\(2 * column + 3) END"
    }
    let names = ["Z_PK"] + columns
    let insert = try connection.statement(
      "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\((["?1"] + values).joined(separator: ", ")))")
    insert.bind(key, at: 1)
    for (column, name) in columns.enumerated() {
      var (value, isText) = (StoredValue.null, false)
      if let number = defaultValues[name], byte() % 4 != 0 {
        value = .integer(number)
      } else {
        (value, isText) = self.value()
      }
      try insert.bind(.integer(isText ? 1 : 0), at: 2 * column + 2)
      try insert.bind(value, at: 2 * column + 3)
    }
    _ = insert.attempt()
  }
}
