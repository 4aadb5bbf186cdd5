import Foundation
import StrataCSQLite
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Copies the rows of a SELECT into pages.
package struct RowFetcher {
  let shape: RowShape
  private let schema: StoreSchema
  private let store: Int
  private let path: String

  /// - Parameters:
  ///   - store: the store's number, for the IDs.
  ///   - path: the store file; external data files are in a folder next to it.
  package init(shape: RowShape, schema: StoreSchema, store: Int, path: String) {
    self.shape = shape
    self.schema = schema
    self.store = store
    self.path = path
  }

  /// Runs a bound statement to completion and resets it. Its columns are those of the shape, or the result of
  /// `SQLiteDialect.packing` or `SQLiteDialect.packingAll` over them.
  /// - Parameter expected: the maximum number of rows, if known; small results get small pages.
  package func rows(of statement: Statement, expected: Int? = nil) throws -> RowList {
    let builder = builder(expected: expected, dataFiles: statement.connection.dataFiles)
    defer {
      statement.reset()
      statement.lastCount = builder.count
    }
    return statement.columnCount == 1
      ? try packedRows(of: statement, builder) : try rows(of: statement, builder)
  }

  func builder(expected: Int?, dataFiles: DataFileReader) -> RowPageBuilder {
    RowPageBuilder(
      shape: shape, schema: schema, store: store, path: path, dataFiles: dataFiles, expected: expected)
  }

  private func rows(of statement: Statement, _ builder: RowPageBuilder) throws -> RowList {
    try pack(statement, with: builder)
    return builder.finish(sorted: nil)
  }

  /// Packs the rows of a statement whose columns are those of the shape.
  func pack(_ statement: Statement, with builder: RowPageBuilder) throws {
    try withUnsafeTemporaryAllocation(of: OpaquePointer?.self, capacity: shape.columnCount) { values in
      while try statement.step() {
        for column in 0..<shape.columnCount {
          values.initializeElement(at: column, to: sqlite3_column_value(statement.handle, Int32(column)))
        }
        // As many as there are columns.
        _ = try builder.pack(values.baseAddress.unsafelyUnwrapped)
      }
    }
  }

  /// Runs a statement that packs each row as it finds it. If it sorts afterwards, it returns the rows' positions in
  /// sorted order; as an aggregate it returns NULL once all rows are packed.
  private func packedRows(of statement: Statement, _ builder: RowPageBuilder) throws -> RowList {
    let connection = statement.connection
    let outer = connection.packing.builder
    connection.packing.builder = Unmanaged.passUnretained(builder)
    defer { connection.packing.builder = outer }
    var returned = 0
    var sorted: [UInt64]?
    do {
      while try statement.step() {
        returned += 1
        if sorted == nil {
          if builder.count == returned || sqlite3_column_type(statement.handle, 0) == SQLITE_NULL { continue }
          sorted = builder.positions(before: returned - 1)
        }
        sorted?.append(UInt64(bitPattern: statement.integer(0)))
      }
    } catch {
      throw builder.failure ?? error
    }
    return builder.finish(sorted: sorted)
  }

  static func blob(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
  }

  /// A decimal column stores a number where that is exact; its shortest text is what was written.
  static func decimal(_ value: OpaquePointer?) -> Decimal {
    if sqlite3_value_type(value) == SQLITE_INTEGER { return Decimal(sqlite3_value_int64(value)) }
    let text =
      sqlite3_value_type(value) == SQLITE_FLOAT
      ? sqlite3_value_double(value).description : sqlite3_value_text(value).map { String(cString: $0) } ?? ""
    return Decimal(string: text) ?? .nan
  }

  /// The same for a record's value; nil for a blob.
  static func decimal(_ field: StoredField) -> Decimal? {
    if field.isInteger { return Decimal(field.integer) }
    if field.isReal { return Decimal(string: field.real.description) ?? .nan }
    return field.isText ? Decimal(string: String(decoding: field.bytes, as: UTF8.self)) ?? .nan : nil
  }
}
