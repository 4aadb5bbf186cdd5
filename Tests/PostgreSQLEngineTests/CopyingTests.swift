import Foundation
import StrataPostgreSQLEngine
import StrataPostgreSQLServer
import StrataRowStore
import StrataSQLText
import Testing

/// Many rows from the server.
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

  @Test(arguments: [0, 1, 20_000]) func rowsArrive(_ count: Int) throws {
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

  @Test func answerIsReadInTheSameWay() throws {
    var found: [(Int64, Int?)] = []
    try connection.run(SQLStatement(rows(3))).forEachRow { values in
      found.append((BinaryValue.integer(values[0]), values[2].baseAddress == nil ? nil : values[2].count))
      #expect(values[3].baseAddress != nil && values[3].isEmpty)
    }
    #expect(found.map(\.0) == [1, 2, 3] && found.map(\.1) == [5, nil, 5])
  }

  @Test func readerThatStopsLeavesTheConnectionUsable() throws {
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
}
