import StrataCPostgreSQL
import StrataRowStore

/// COPY in the binary format, the quickest way for many rows. See
/// https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4
extension ServerConnection {
  /// The size of the signature, the flags and the length of no extension, which precede the first row.
  private static let headerSize = 19

  /// Receives rows, without keeping them.
  /// - Parameters:
  ///   - query: a `SELECT`. It takes no parameters.
  ///   - body: is passed the values of each row, which are valid during the call; those that begin nowhere are NULL.
  /// - Returns: the number of rows.
  @discardableResult
  package func copyOut(of query: String, _ body: (UnsafePointer<UnsafeRawBufferPointer>) throws -> Void) throws -> Int {
    try failing(as: "read") {
      let command = "COPY (\(query)) TO STDOUT (FORMAT binary)"
      let begun = PQexec(handle, command)
      defer { PQclear(begun) }
      guard PQresultStatus(begun) == PGRES_COPY_OUT else { throw failure(begun, sql: command) }
      let thrown = withUnsafeTemporaryAllocation(
        of: UnsafeRawBufferPointer.self, capacity: Int(PQnfields(begun))
      ) { values in receive(into: values, body) }
      let result = PQgetResult(handle)
      defer { while let left = PQgetResult(handle) { PQclear(left) } }
      let rows = try checked(result, sql: command).changes
      if let thrown { throw thrown }
      return rows
    }
  }

  /// - Returns: what `body` threw; what is left then is read all the same, as the connection is of use only after that.
  private func receive(
    into values: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>,
    _ body: (UnsafePointer<UnsafeRawBufferPointer>) throws -> Void
  ) -> (any Error)? {
    var skipped = Self.headerSize
    var thrown: (any Error)?
    var buffer: UnsafeMutablePointer<CChar>?
    while case let count = PQgetCopyData(handle, &buffer, 0), count > 0, let message = buffer {
      defer { PQfreemem(message) }
      let bytes = UnsafeRawBufferPointer(start: message, count: Int(count)).dropFirst(skipped)
      skipped = 0
      // A mark instead of a row ends the data.
      guard thrown == nil, values.read(UnsafeRawBufferPointer(rebasing: bytes)) else { continue }
      do { try body(UnsafePointer(values.baseAddress.unsafelyUnwrapped)) } catch { thrown = error }
    }
    return thrown
  }
}

extension ServerConnection {
  /// The signature, the flags and the length of no extension, which precede the first row.
  private static let head = Array("PGCOPY\n".utf8) + [0xFF, 13, 10] + [UInt8](repeating: 0, count: 9)
  /// The size of the pieces that are sent.
  private static let pieceSize = 1 << 16

  /// Sends rows.
  /// - Parameters:
  ///   - table: a table and, in parentheses, its columns.
  ///   - next: appends a row; false after the last row.
  /// - Throws: the server's error, or what `next` throws; the table is then unchanged.
  package func copyIn(to table: String, _ next: (ServerFields) throws -> Bool) throws {
    try failing(as: "write") {
      let command = "COPY \(table) FROM STDIN (FORMAT binary)"
      let begun = PQexec(handle, command)
      defer { PQclear(begun) }
      guard PQresultStatus(begun) == PGRES_COPY_IN else { throw failure(begun, sql: command) }
      var thrown: (any Error)?
      do {
        try send(next, command)
      } catch {
        thrown = error
      }
      _ = PQputCopyEnd(handle, thrown == nil ? nil : "The rows cannot be sent.")
      let result = PQgetResult(handle)
      while let left = PQgetResult(handle) { PQclear(left) }
      if let failure = thrown ?? misfit(result, sql: command) {
        PQclear(result)
        throw failure
      }
      _ = try checked(result, sql: command)
    }
  }

  /// A value of fewer bytes than its column's type has: to the server that is a violation of the protocol, but the
  /// connection is as good as before.
  private func misfit(_ result: OpaquePointer?, sql: String) -> ServerFailure? {
    guard PQresultStatus(result) == PGRES_FATAL_ERROR, PQstatus(handle) == CONNECTION_OK else { return nil }
    let failure = ServerFailure(result, of: handle, sql: sql)
    guard failure.state == "08P01" else { return nil }
    return ServerFailure(
      state: "22P03", message: failure.message, detail: failure.detail, constraint: nil, sql: failure.sql)
  }

  private func send(_ next: (ServerFields) throws -> Bool, _ command: String) throws {
    let fields = ServerFields(capacity: Self.pieceSize + 4_096)
    fields.append(raw: Self.head)
    var hasMore = true
    while hasMore {
      hasMore = try next(fields)
      // A mark instead of a row ends the data.
      if !hasMore { fields.beginRow(of: -1) }
      guard fields.size > Self.pieceSize || !hasMore else { continue }
      let bytes = fields.bytes
      guard
        PQputCopyData(
          handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count)) == 1
      else { throw failure(nil, sql: command) }
      fields.removeAll()
    }
  }
}

extension UnsafeMutableBufferPointer<UnsafeRawBufferPointer> {
  /// Finds the values of a row: their number, and each after its length, which is -1 for NULL.
  /// - Returns: whether the bytes are a row.
  @inline(__always)
  fileprivate func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 2, Int(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self))) == count else { return false }
    var offset = 2
    for index in 0..<count {
      guard offset &+ 4 <= bytes.count else { return false }
      let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
      offset &+= 4
      guard length >= 0 else {
        initializeElement(at: index, to: UnsafeRawBufferPointer(start: nil, count: 0))
        continue
      }
      guard length <= bytes.count &- offset else { return false }
      initializeElement(
        at: index, to: UnsafeRawBufferPointer(start: bytes.baseAddress.unsafelyUnwrapped + offset, count: length))
      offset &+= length
    }
    return true
  }
}
