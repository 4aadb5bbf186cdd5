import Foundation
import StrataPostgreSQLEngine
import StrataPostgreSQLServer
import StrataRowStore
import StrataSQLText
import Testing

/// Many rows in either direction.
@Suite struct CopyingTests {
  let connection: ServerConnection

  init() throws {
    connection = try PostgreSQLServer.shared.get().connect()
    try connection.run("CREATE TABLE t (a bigint PRIMARY KEY, b double precision, c text, d smallint)")
  }

  private func copyIn(_ count: Int, failingAt bad: Int? = nil) throws -> Int {
    var number = 0
    return try connection.copyIn("COPY t (a, b, c, d) FROM STDIN (FORMAT binary)") { row in
      guard number < count else { return false }
      if number == bad { throw CocoaError(.fileReadUnknown) }
      number += 1
      row.append(Int64(number))
      row.append(Double(number) / 2)
      if number.isMultiple(of: 2) {
        row.appendNull()
      } else {
        Data("row \(number)".utf8).withUnsafeBytes { row.append($0) }
      }
      row.append(Int16(truncatingIfNeeded: number))
      return true
    }
  }

  @Test(arguments: [0, 1, 20_000]) func rowsArriveAndComeBack(_ count: Int) throws {
    #expect(try copyIn(count) == count)
    var (keys, halves, texts, nulls) = (0, 0.0, 0, 0)
    let received = try connection.copyOut("COPY (SELECT a, b, c FROM t ORDER BY a) TO STDOUT (FORMAT binary)") { row in
      #expect(row.columnCount == 3)
      var column = 0
      row.forEachValue { bytes in
        switch (column, bytes) {
        case (0, let bytes?): keys += Int(BinaryValue.integer(bytes))
        case (1, let bytes?): halves += BinaryValue.real(bytes)
        case (_, let bytes?): texts += bytes.count
        case (_, nil): nulls += 1
        }
        column += 1
      }
    }
    #expect(received == count && keys == count * (count + 1) / 2 && halves == Double(keys) / 2 && nulls == count / 2)
    let length = try connection.run("SELECT coalesce(sum(octet_length(c)), 0)::bigint FROM t").integer(0, 0)
    #expect(Int64(texts) == length)
  }

  @Test func rowsAreKeptOrNot() throws {
    #expect(throws: CocoaError.self) { try copyIn(10_000, failingAt: 9_999) }
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 0)
    #expect(try copyIn(1) == 1)
    let error = #expect(throws: StoreError.self) { try copyIn(2) }
    #expect(error?.code == .constraint)
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 1)
  }

  @Test func readerThatStopsLeavesTheConnectionUsable() throws {
    #expect(try copyIn(5_000) == 5_000)
    #expect(throws: CocoaError.self) {
      _ = try connection.copyOut("COPY t TO STDOUT (FORMAT binary)") { _ in throw CocoaError(.userCancelled) }
    }
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 5_000)
    let error = #expect(throws: StoreError.self) {
      _ = try connection.copyOut("COPY missing TO STDOUT (FORMAT binary)") { _ in }
    }
    #expect(error?.code == .corrupt)
  }
}
