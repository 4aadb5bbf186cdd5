import Foundation
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataRowStore
import StrataSQLText
import Testing

/// Copying many rows from and to the server.
@Suite struct CopyingTests {
  let connection: ServerConnection

  init() throws { connection = try PostgreSQLServer.shared.get().connect() }

  /// Rows of a key, its half, a text that is NULL in every other row, and an empty text.
  private func rows(_ count: Int) -> String {
    """
    SELECT n::bigint, n / 2::double precision, CASE WHEN n % 2 = 1 THEN 'row ' || n END, '' \
    FROM generate_series(1, \(count)) AS s (n)
    """
  }

  @Test(arguments: [0, 1, 20_000]) func `copied rows are received`(_ count: Int) throws {
    var (keys, halves, texts, nulls, isEmpty) = (0, 0.0, 0, 0, true)
    let received = try connection.copyOut(of: rows(count)) { values in
      keys += Int(BinaryValue.integer(values[0]))
      halves += BinaryValue.real(values[1])
      if values[2].baseAddress == nil { nulls += 1 } else { texts += values[2].count }
      isEmpty = isEmpty && values[3].baseAddress != nil && values[3].isEmpty
    }
    #expect(received == count && keys == count * (count + 1) / 2 && halves == Double(keys) / 2 && isEmpty)
    let odd = (0..<count).filter { $0.isMultiple(of: 2) }
    #expect(nulls == count / 2 && texts == odd.reduce(0) { $0 + "row \($1 + 1)".utf8.count })
  }

  @Test func `a query's result is read in the same way`() throws {
    var found: [(Int64, Int?)] = []
    try connection.run(SQLStatement(rows(3))).forEachRow { values in
      found.append((BinaryValue.integer(values[0]), values[2].baseAddress == nil ? nil : values[2].count))
      #expect(values[3].baseAddress != nil && values[3].isEmpty)
    }
    #expect(found.map(\.0) == [1, 2, 3] && found.map(\.1) == [5, nil, 5])
  }

  @Test func `the connection is usable after a reader stops`() throws {
    #expect(throws: CocoaError.self) {
      try connection.copyOut(of: rows(5_000)) { _ in throw CocoaError(.userCancelled) }
    }
    #expect(try connection.run("SELECT 1").integer(0, 0) == 1)
    let refused = #expect(throws: StoreError.self) { try connection.copyOut(of: "SELECT 1 FROM missing") { _ in } }
    #expect(refused?.code == .corrupt)
    // An error after some rows.
    #expect(throws: StoreError.self) {
      try connection.copyOut(of: "SELECT 10 / (20000 - n) FROM generate_series(1, 30000) AS s (n)") { _ in }
    }
    #expect(try connection.run("SELECT 1").integer(0, 0) == 1)
  }

  @Test(arguments: [0, 1, 20_000]) func `copied rows are sent`(_ count: Int) throws {
    try connection.run("CREATE TABLE t (a bigint, b text, c numeric, d smallint)")
    var number = 0
    try connection.copyIn(to: "t (a, b, c, d)") { values in
      guard number < count else { return false }
      number += 1
      values.beginRow(of: 4)
      values.append(Int64(number))
      values.append(number.isMultiple(of: 2) ? nil : "row \(number)")
      values.append(Decimal(number) / 100)
      values.append(Int16(-1))
      return true
    }
    let found = try connection.run(
      "SELECT count(*), count(b), coalesce(sum(a), 0)::bigint, coalesce(sum(c) * 100, 0)::bigint, min(d) FROM t")
    #expect(found.integer(0, 0) == count && found.integer(0, 1) == (count + 1) / 2)
    #expect(found.integer(0, 2) == count * (count + 1) / 2 && found.integer(0, 3) == found.integer(0, 2))
    #expect(found.isNull(0, 4) == (count == 0))
  }

  @Test func `a failed COPY leaves no rows`() throws {
    try connection.run("CREATE TABLE t (a bigint PRIMARY KEY)")
    func send(_ keys: [Int64], failing: Bool = false) throws {
      var rest = keys[...]
      try connection.copyIn(to: "t (a)") { values in
        guard let key = rest.popFirst() else {
          if failing { throw CocoaError(.userCancelled) }
          return false
        }
        values.beginRow(of: 1)
        values.append(key)
        return true
      }
    }
    #expect(throws: CocoaError.self) { try send(Array(0..<20_000), failing: true) }
    // The server detects the duplicate only after all rows were sent.
    let doubled = #expect(throws: StoreError.self) { try send(Array(0..<20_000) + [0]) }
    #expect((doubled?.cause as? ServerFailure)?.isUniqueness == true)
    // Values with too few and with too many bytes.
    for type in ["bigint", "smallint"] {
      try connection.run(SQLStatement("CREATE TABLE n (a \(type))"))
      let misfit = #expect(throws: StoreError.self) {
        var isFirst = true
        try connection.copyIn(to: "n (a)") { values in
          defer { isFirst = false }
          guard isFirst else { return false }
          values.beginRow(of: 1)
          values.append(Int32(1))
          return true
        }
      }
      #expect((misfit?.cause as? ServerFailure)?.isUncopyable == true && connection.isAlive)
      try connection.run("DROP TABLE n")
    }
    let missing = #expect(throws: StoreError.self) { try connection.copyIn(to: "missing (a)") { _ in false } }
    #expect(missing?.code == .corrupt)
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 0)
  }

  @Test(arguments: [
    "0", "1", "-1", "10000", "12345678.9", "-0.00012", "99999999999999999999999999999999999999", "1e30", "0.1",
    "-120034.0005600", "1e-20", "NaN",
  ])
  func `decimals are sent in the server's format`(_ text: String) throws {
    let decimal = Decimal(string: text) ?? .nan
    let values = ServerFields()
    values.append(decimal)
    values.append("\(decimal)")
    let statement = PreparedStatement(
      "SELECT $1::text = $2::numeric::text, $1 = $2::numeric", [.decimal, .text], name: "compare")
    #expect(try connection.run(statement, values).rows == [[.integer(1), .integer(1)]])
  }

  @Test func `a known statement is prepared on its second use`() throws {
    let statement = PreparedStatement("SELECT a, $1, $2 FROM t", [.integer64, .text], name: "known")
    try connection.run("CREATE TABLE t (a bigint)")
    try connection.run("INSERT INTO t VALUES (1)")
    for number: Int64 in 1...3 {
      let values = ServerFields()
      values.append(number)
      values.append(number == 2 ? nil : "é")
      let row: [StoredValue] = [.integer(1), .integer(number), number == 2 ? .null : .text("é")]
      #expect(try connection.run(statement, values).rows == [row])
      // Changing the table invalidates the prepared statement.
      if number == 2 { try connection.run("ALTER TABLE t ALTER a TYPE integer") }
    }
    let names = try connection.run("SELECT name FROM pg_prepared_statements WHERE name LIKE 'known%'")
    #expect(names.rowCount == 2)
  }
}
