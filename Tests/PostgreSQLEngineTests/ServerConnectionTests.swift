import Foundation
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataRowStore
import StrataSQLText
import Testing

/// Statements and their values, on a real server.
@Suite struct ServerConnectionTests {
  let server: PostgreSQLServer
  let connection: ServerConnection

  init() throws {
    server = try PostgreSQLServer.shared.get()
    connection = try server.connect()
  }

  private func failure(_ body: () throws -> Void) -> (code: StoreError.Code, failure: ServerFailure?)? {
    do {
      try body()
      return nil
    } catch let error as StoreError {
      return (error.code, error.cause as? ServerFailure)
    } catch {
      return nil
    }
  }

  @Test func `values survive a round trip`() throws {
    let values: [StoredValue] = [
      .integer(.min), .integer(.max), .real(-0.0), .real(.pi), .real(.infinity), .text(""), .text("Ærø 🌋"), .blob([]),
      .blob([0, 255, 92]),
    ]
    for value in values {
      let result = try connection.run("SELECT \(SQLStatement("$1", [value]))")
      #expect(result.rows == [[value]], "\(value)")
    }
    let negative = try connection.run(SQLStatement("SELECT $1", [.real(-0.0)])).value(0, 0)
    guard case .real(let zero) = negative else { throw PostgreSQLServer.Failure(description: "\(negative)") }
    #expect(zero.sign == .minus)
    #expect(try connection.run(SQLStatement("SELECT $1::bigint", [.null])).rows == [[.null]])
  }

  @Test func `columns of all types are read`() throws {
    let result = try connection.run(
      """
      SELECT true, 7::smallint, -7::integer, 1.5::real, '\\x00ff'::bytea, '6b29fc40-ca47-1067-b31d-00dd010662da'::uuid
      """)
    #expect(
      result.rows[0].prefix(5) == [.integer(1), .integer(7), .integer(-7), .real(1.5), .blob([0, 255])])
    let uuid: [UInt8] = [0x6B, 0x29, 0xFC, 0x40, 0xCA, 0x47, 0x10, 0x67, 0xB3, 0x1D, 0, 0xDD, 1, 6, 0x62, 0xDA]
    #expect(result.value(0, 5) == .blob(uuid))
  }

  @Test(arguments: [
    "0", "1", "-1", "10000", "12345678.9", "-0.00012", "99999999999999999999999999999999999999", "1e30", "0.1",
    "-120034.0005600", "1e-20",
  ])
  func `decimals keep their digits`(_ text: String) throws {
    let result = try connection.run(SQLStatement("SELECT $1::text::numeric", [.text(text)]))
    #expect(BinaryValue.decimal(result.bytes(0, 0)) == Decimal(string: text))
  }

  @Test func `an invalid decimal is NaN`() throws {
    #expect(BinaryValue.decimal(try connection.run("SELECT 'NaN'::numeric").bytes(0, 0)).isNaN)
    #expect(BinaryValue.decimal(try connection.run("SELECT 'Infinity'::numeric").bytes(0, 0)).isNaN)
    #expect(BinaryValue.decimal(UnsafeRawBufferPointer(start: nil, count: 0)).isNaN)
  }

  @Test func `a list is one parameter`() throws {
    func members(_ list: StoredList?, _ type: String) throws -> [[StoredValue]] {
      let binding = try #require(list)
      return try connection.run(
        SQLStatement("SELECT m FROM unnest($1::\(type)[]) AS m ORDER BY m", [.list(binding)])
      ).rows
    }
    #expect(try members(StoredList([3, 1, 2]), "bigint") == [[.integer(1)], [.integer(2)], [.integer(3)]])
    #expect(try members(StoredList([.text("b"), .text("")]), "text") == [[.text("")], [.text("b")]])
    #expect(try members(StoredList([.blob([1]), .blob([])]), "bytea") == [[.blob([])], [.blob([1])]])
    #expect(try members(StoredList([Int64]()), "bigint") == [])
  }

  @Test func `a statement is prepared on its second use`() throws {
    func prepared() throws -> Int64 { try connection.run("SELECT count(*) FROM pg_prepared_statements").integer(0, 0) }
    for number: Int64 in 1...3 {
      #expect(try connection.run(SQLStatement("SELECT $1 + 1", [.integer(number)])).integer(0, 0) == number + 1)
    }
    // The counting statement itself is prepared by now.
    _ = try prepared()
    #expect(try prepared() == 2)
    // Another type of the parameter is another statement.
    #expect(try connection.run(SQLStatement("SELECT $1 + 1", [.real(0.5)])).rows == [[.real(1.5)]])
  }

  @Test func `a prepared statement works after a change of its table`() throws {
    let other = try server.connect(URL(string: "\(server.freshURL())"))
    try connection.run("CREATE TABLE t (a bigint)")
    try connection.run("INSERT INTO t VALUES (1)")
    for _ in 0..<3 { #expect(try connection.run("SELECT * FROM t").rows == [[.integer(1)]]) }
    let schema = ServerConnection.quoted(connection.address.schema)
    try other.run(SQLStatement("ALTER TABLE \(schema).t ADD COLUMN b text DEFAULT 'x'"))
    #expect(try connection.run("SELECT * FROM t").rows == [[.integer(1), .text("x")]])
  }

  @Test func `statements in one round trip are one transaction`() throws {
    try connection.run("CREATE TABLE t (a bigint PRIMARY KEY)")
    let results = try connection.run([
      SQLStatement("INSERT INTO t VALUES ($1)", [.integer(1)]),
      SQLStatement("INSERT INTO t VALUES ($1)", [.integer(2)]),
      SQLStatement("SELECT count(*) FROM t"),
    ])
    #expect(results.map(\.rowCount) == [0, 0, 1] && results[2].integer(0, 0) == 2)
    let found = failure {
      _ = try connection.run([
        SQLStatement("INSERT INTO t VALUES (3)"), SQLStatement("INSERT INTO t VALUES (1)"),
        SQLStatement("INSERT INTO t VALUES (4)"),
      ])
    }
    #expect(found?.code == .constraint && found?.failure?.isUniqueness == true)
    #expect(found?.failure?.constraint == "t_pkey" && found?.failure?.sql == "INSERT INTO t VALUES (1)")
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 2)
  }

  @Test func `a full pipeline fits in a round trip`() throws {
    let text = String(repeating: "x", count: 50_000)
    let list = (0..<ServerConnection.maximumPipelineLength).map { SQLStatement("SELECT $1, \($0)", [.text(text)]) }
    let results = try connection.run(list)
    #expect(results.count == list.count && results.allSatisfy { $0.bytes(0, 0).count == 50_000 })
  }

  @Test func `a failed transaction is rolled back`() throws {
    try connection.run("CREATE TABLE t (a bigint PRIMARY KEY)")
    #expect(throws: StoreError.self) {
      try connection.transaction(.writing) {
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.run("INSERT INTO t VALUES (1)")
      }
    }
    #expect(!connection.isInTransaction)
    // Ignoring the error does not make the transaction succeed.
    #expect(throws: StoreError.self) {
      try connection.transaction(.writing) {
        try connection.run("INSERT INTO t VALUES (1)")
        _ = try? connection.run("INSERT INTO t VALUES (1)")
      }
    }
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 0)
  }

  @Test func `a read transaction sees one snapshot`() throws {
    try connection.run("CREATE TABLE t (a bigint)")
    let schema = ServerConnection.quoted(connection.address.schema)
    let other = try server.connect()
    try connection.transaction(.reading) {
      #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 0)
      try other.run(SQLStatement("INSERT INTO \(schema).t VALUES (1)"))
      #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 0)
    }
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 1)
  }

  @Test func `errors say what failed and how to fix it`() throws {
    let found = failure { try connection.run("SELECT * FROM missing") }
    #expect(found?.code == .corrupt && found?.failure?.state == "42P01")
    #expect(found?.failure?.sql == "SELECT * FROM missing")
    #expect(failure { try connection.run(SQLStatement("SELECT $1", [.text("a\u{0}b")])) }?.code == .unsupported)
    let address = try ServerAddress(#require(URL(string: "postgresql:///postgres?host=/nowhere&schema=a")))
    #expect(failure { _ = try ServerConnection(to: address, name: "test") }?.code == .io)
    let url = server.freshURL().absoluteString.replacing("/postgres?", with: "/missing?")
    let missing = try ServerAddress(#require(URL(string: url)))
    #expect(failure { _ = try ServerConnection(to: missing, name: "test") }?.code == .notOpen)
  }

  @Test func `a lost connection is an error`() throws {
    let other = try server.connect()
    let process = try connection.run("SELECT pg_backend_pid()").integer(0, 0)
    try other.run(SQLStatement("SELECT pg_terminate_backend($1::integer)", [.integer(process)]))
    let found = failure { try connection.run("SELECT 1") }
    #expect(found?.code == .io && found?.failure?.isLost == true)
    #expect(!connection.isAlive)
  }
}
