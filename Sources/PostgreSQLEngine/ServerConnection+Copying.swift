import StrataCPostgreSQL
import StrataRowStore
import StrataSQLText

/// COPY in the binary format, the quickest way for many rows in either direction. See
/// https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4
extension ServerConnection {
  /// The signature, flags and the length of no extension.
  private static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)

  /// Bytes that are sent at once.
  private static let pieceSize = 1 << 16

  /// Sends rows to a table.
  /// - Parameters:
  ///   - command: `COPY zquake (z_pk, zname) FROM STDIN (FORMAT binary)`.
  ///   - fill: appends the next row; false if there is none left.
  /// - Returns: the number of rows.
  /// - Throws: what `fill` throws, or a `StoreError`; the table then has none of the rows.
  package func copyIn(_ command: String, _ fill: (inout CopiedRow) throws -> Bool) throws -> Int {
    try failing(as: "write") {
      try begin(command, PGRES_COPY_IN)
      do {
        var row = CopiedRow(bytes: Self.header)
        while true {
          let start = row.begin()
          guard try fill(&row) else {
            row.cancel(from: start)
            break
          }
          row.end(from: start)
          if row.bytes.count >= Self.pieceSize { try send(&row, command) }
        }
        row.bytes.append(bigEndian: Int16(-1))
        try send(&row, command)
      } catch {
        _ = PQputCopyEnd(handle, "given up")
        while let result = PQgetResult(handle) { PQclear(result) }
        throw error
      }
      guard PQputCopyEnd(handle, nil) == 1 else { throw failure(nil, sql: command) }
      return try end(command)
    }
  }

  private func send(_ row: inout CopiedRow, _ command: String) throws {
    let sent = row.bytes.withUnsafeBytes { bytes in
      PQputCopyData(handle, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count))
    }
    guard sent == 1 else { throw failure(nil, sql: command) }
    row.bytes.removeAll(keepingCapacity: true)
  }

  /// Receives rows, without keeping them.
  /// - Parameters:
  ///   - command: `COPY (SELECT …) TO STDOUT (FORMAT binary)`. It takes no parameters.
  ///   - body: is passed each row, whose bytes are valid during the call.
  /// - Returns: the number of rows.
  package func copyOut(_ command: String, _ body: (ReceivedRow) throws -> Void) throws -> Int {
    try failing(as: "read") {
      try begin(command, PGRES_COPY_OUT)
      var isFirst = true
      var thrown: (any Error)?
      while true {
        var buffer: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(handle, &buffer, 0)
        guard count > 0, let buffer else {
          if count == -1 { break }
          throw failure(nil, sql: command)
        }
        defer { PQfreemem(buffer) }
        // What is left of a body that threw must be read all the same.
        guard thrown == nil else { continue }
        var bytes = UnsafeRawBufferPointer(start: buffer, count: Int(count))
        if isFirst {
          bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Self.header.count))
          isFirst = false
        }
        guard let row = ReceivedRow(bytes) else { continue }
        do { try body(row) } catch { thrown = error }
      }
      let changes = try end(command)
      if let thrown { throw thrown }
      return changes
    }
  }

  private func begin(_ command: String, _ status: ExecStatusType) throws {
    let result = PQexec(handle, command)
    defer { PQclear(result) }
    guard PQresultStatus(result) == status else { throw failure(result, sql: command) }
  }

  private func end(_ command: String) throws -> Int {
    let result = PQgetResult(handle)
    defer { while let left = PQgetResult(handle) { PQclear(left) } }
    return try checked(result, sql: command).changes
  }
}

/// A row on its way to the server.
package struct CopiedRow {
  fileprivate(set) var bytes: [UInt8]
  private var count: Int16 = 0

  fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

  fileprivate mutating func begin() -> Int {
    count = 0
    bytes.append(bigEndian: count)
    return bytes.count - 2
  }

  fileprivate mutating func end(from start: Int) {
    bytes[start] = UInt8(truncatingIfNeeded: count >> 8)
    bytes[start + 1] = UInt8(truncatingIfNeeded: count)
  }

  fileprivate mutating func cancel(from start: Int) { bytes.removeSubrange(start...) }

  package mutating func appendNull() {
    count += 1
    bytes.append(bigEndian: Int32(-1))
  }

  /// An integer of as many bytes as the column's type has.
  package mutating func append(_ integer: some FixedWidthInteger) {
    count += 1
    bytes.append(bigEndian: Int32(integer.bitWidth / 8))
    bytes.append(bigEndian: integer)
  }

  /// A `double precision`.
  package mutating func append(_ real: Double) { append(real.bitPattern) }

  /// The bytes of a text, a `bytea` or a `uuid`.
  package mutating func append(_ value: UnsafeRawBufferPointer) {
    count += 1
    bytes.append(bigEndian: Int32(value.count))
    bytes += value
  }
}

/// A row that the server has sent.
package struct ReceivedRow {
  private let bytes: UnsafeRawBufferPointer
  package let columnCount: Int

  /// - Returns: nil for the mark at the end, and for bytes that are no row.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else { return nil }
    let count = Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))
    guard count >= 0 else { return nil }
    columnCount = Int(count)
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(2))
  }

  /// Passes each value in turn; nil for NULL.
  package func forEachValue(_ body: (UnsafeRawBufferPointer?) throws -> Void) rethrows {
    var place = 0
    for _ in 0..<columnCount {
      guard place + 4 <= bytes.count else { return }
      let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
      place += 4
      guard length >= 0 else {
        try body(nil)
        continue
      }
      guard place + length <= bytes.count else { return }
      try body(UnsafeRawBufferPointer(rebasing: bytes[place..<place + length]))
      place += length
    }
  }
}
