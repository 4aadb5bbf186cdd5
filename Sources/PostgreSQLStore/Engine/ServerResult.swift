import Foundation
import StrataCPostgreSQL
import StrataSQLText

/// The rows that a statement returned, or the number of rows that it changed.
package final class ServerResult {
  private let result: OpaquePointer
  package let rowCount: Int
  package let columnCount: Int

  init(_ result: OpaquePointer) {
    self.result = result
    (rowCount, columnCount) = (Int(PQntuples(result)), Int(PQnfields(result)))
  }

  deinit { PQclear(result) }

  /// The number of rows that INSERT, UPDATE, DELETE or COPY changed.
  package var changes: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The command that ran: "COMMIT", or "ROLLBACK" for a COMMIT of a failed transaction.
  var tag: String { String(cString: PQcmdStatus(result)) }

  package func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(result, Int32(row), Int32(column)) != 0 }

  /// A value's bytes in the server's binary format, valid while the result lives; none for NULL.
  package func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    let (row, column) = (Int32(row), Int32(column))
    return UnsafeRawBufferPointer(
      start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
  }

  /// An integer or Boolean; 0 for NULL and for values of other types.
  package func integer(_ row: Int, _ column: Int) -> Int64 { BinaryValue.integer(bytes(row, column)) }

  /// A text; empty for NULL.
  package func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

  /// A value as its type says.
  package func value(_ row: Int, _ column: Int) -> StoredValue {
    guard !isNull(row, column) else { return .null }
    let bytes = bytes(row, column)
    return switch type(of: column) {
    case .integer: .integer(BinaryValue.integer(bytes))
    case .real: .real(BinaryValue.real(bytes))
    case .decimal: .text("\(BinaryValue.decimal(bytes))")
    case .bytes: .blob(Array(bytes))
    case .text: .text(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The kind of a column's values, by its type. Bytes are data or UUIDs; all other types are text.
  package enum ValueType: Sendable { case integer, real, decimal, text, bytes }

  package func type(of column: Int) -> ValueType {
    switch PQftype(result, Int32(column)) {
    case ServerType.bool, ServerType.int2, ServerType.int4, ServerType.int8: .integer
    case ServerType.float4, ServerType.float8: .real
    case ServerType.numeric: .decimal
    case ServerType.bytea, ServerType.uuid: .bytes
    default: .text
    }
  }

  /// Passes the values of each row in turn, those that begin nowhere being NULL.
  package func forEachRow(_ body: (UnsafePointer<UnsafeRawBufferPointer>) throws -> Void) rethrows {
    try withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer.self, capacity: columnCount) { values in
      let width = Int32(truncatingIfNeeded: columnCount)
      for row in 0..<Int32(truncatingIfNeeded: rowCount) {
        for column in 0..<width {
          let count = PQgetlength(result, row, column)
          // NULL has no length, so most values need not be asked.
          let isNull = count == 0 && PQgetisnull(result, row, column) != 0
          values.initializeElement(
            at: Int(column),
            to: UnsafeRawBufferPointer(start: isNull ? nil : PQgetvalue(result, row, column), count: Int(count)))
        }
        try body(UnsafePointer(values.baseAddress.unsafelyUnwrapped))
      }
    }
  }

  /// All rows, each a value for each column.
  package var rows: [[StoredValue]] {
    (0..<rowCount).map { row in (0..<columnCount).map { value(row, $0) } }
  }
}

/// The server's binary forms of values, in network byte order. See the `…send` functions in
/// https://github.com/postgres/postgres/tree/master/src/backend/utils/adt
@usableFromInline
package enum BinaryValue {
  /// An integer of 1, 2, 4 or 8 bytes; 0 for other lengths.
  @inlinable @inline(__always)
  package static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    switch bytes.count {
    case 1: Int64(bytes[0])
    case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    default: 0
    }
  }

  /// A floating-point number of 4 or 8 bytes; 0 for other lengths.
  @inlinable @inline(__always)
  package static func real(_ bytes: UnsafeRawBufferPointer) -> Double {
    switch bytes.count {
    case 4: Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
    case 8: Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    default: 0
    }
  }

  /// A `numeric`: digits in base 10,000, the power of the first, and the sign. NaN for malformed bytes.
  package static func decimal(_ bytes: UnsafeRawBufferPointer) -> Decimal {
    guard bytes.count >= 8 else { return .nan }
    func word(_ index: Int) -> Int {
      Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)))
    }
    let (count, weight, sign) = (word(0), Int(Int16(truncatingIfNeeded: word(1))), word(2))
    guard sign == 0 || sign == Self.minus, bytes.count >= 8 + 2 * count else { return .nan }
    var digits = ""
    for index in 0..<count {
      let group = String(word(4 + index))
      digits += String(repeating: "0", count: max(0, 4 - group.count)) + group
    }
    // Trailing zeros would take digits that a Decimal has only 38 of.
    var exponent = 4 * (weight - count + 1)
    while digits.count > 1, digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    return Decimal(string: "\(sign == 0 ? "" : "-")\(digits.isEmpty ? "0" : digits)e\(exponent)") ?? .nan
  }

  private static let minus = 0x4000
}
