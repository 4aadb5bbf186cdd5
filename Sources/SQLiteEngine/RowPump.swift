import CSQLite
import Foundation
import ManagedModel
import RowStore
import SQLText

/// Copies the rows of a SELECT into pages: each value once, as bytes, without a String or a box on the way.
package final class RowPump {
  let schema: StoreSchema
  private let shape: RowShape
  private let store: Int
  private let path: String

  /// - Parameters:
  ///   - store: the store's number, for the ids.
  ///   - path: the store's file; large data lies in a folder beside it.
  package init(shape: RowShape, schema: StoreSchema, store: Int, path: String) {
    self.shape = shape
    self.schema = schema
    self.store = store
    self.path = path
  }

  /// Runs a bound statement to its end and resets it.
  /// - Parameter expected: the most rows that can come, if that is known; small answers get small pages.
  package func rows(of statement: Statement, expected: Int? = nil) throws -> RowList {
    var pages = PageFiller(expected: expected)
    defer { statement.reset() }
    while try statement.step() {
      let entity = Int(sqlite3_column_int64(statement.handle, 1))
      let reading = try reading(ofStored: entity)
      let id = RowID(store: store, entity: reading.layout.number, key: sqlite3_column_int64(statement.handle, 0))
      let page = pages.page(for: reading.layout, number: entity)
      let row = page.append(id: id, version: sqlite3_column_int64(statement.handle, 2))
      for slot in reading.slots { try fill(slot, of: page, row, from: statement.handle) }
    }
    return pages.finish()
  }

  private func reading(ofStored number: Int) throws -> RowReading {
    guard let reading = shape.reading(ofStored: number) else {
      throw StoreError(
        .corrupt, "The store '\(path)' has a row of entity number \(number), which is not in its table of the model.")
    }
    return reading
  }

  /// A connection without a mutex may read the values that a column call hands out: a third of the cost of asking the
  /// column for type, value and length. See https://sqlite.org/c3ref/value.html
  @inline(__always)
  private func fill(_ slot: RowReading.Slot, of page: RowPage, _ row: Int, from statement: OpaquePointer) throws {
    let value = sqlite3_column_value(statement, slot.column)
    if sqlite3_value_type(value) == SQLITE_NULL { return }
    switch slot.filling {
    case .integer: page.setInteger(sqlite3_value_int64(value), row, slot.number)
    case .boolean: page.setInteger(sqlite3_value_int64(value) != 0 ? 1 : 0, row, slot.number)
    case .double: page.setDouble(sqlite3_value_double(value), row, slot.number)
    case .text:
      let start = sqlite3_value_text(value)
      page.setBytes(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))), row, slot.number)
    case .bytes: page.setBytes(Self.blob(value), row, slot.number)
    case .reference:
      let entity = slot.entityColumn < 0 ? 0 : Int(sqlite3_column_int64(statement, slot.entityColumn))
      let number = entity == 0 ? slot.destination : schema.number(ofStored: entity) ?? slot.destination
      page.setReference(RowID(store: store, entity: number, key: sqlite3_value_int64(value)), row, slot.number)
    case .decimal: withUnsafeBytes(of: Self.decimal(value)) { page.setBytes($0, row, slot.number) }
    case .uuid: page.setBytes(try uuid(value, page, slot.number), row, slot.number)
    case .external: try ExternalData.read(Self.blob(value), of: path) { page.setBytes($0, row, slot.number) }
    }
  }

  static func blob(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
  }

  /// A decimal column holds a number where one can hold it; its shortest text is what was written.
  static func decimal(_ value: OpaquePointer?) -> Decimal {
    if sqlite3_value_type(value) == SQLITE_INTEGER { return Decimal(sqlite3_value_int64(value)) }
    let text =
      sqlite3_value_type(value) == SQLITE_FLOAT
      ? sqlite3_value_double(value).description : sqlite3_value_text(value).map { String(cString: $0) } ?? ""
    return Decimal(string: text) ?? .nan
  }

  private func uuid(_ value: OpaquePointer?, _ page: RowPage, _ slot: Int) throws -> UnsafeRawBufferPointer {
    let bytes = Self.blob(value)
    guard bytes.count == 16 else {
      throw StoreError(
        .corrupt,
        "The store '\(path)' has \(bytes.count) bytes for the UUID "
          + "'\(page.layout.name).\(page.layout.slots[slot].name)' instead of 16.")
    }
    return bytes
  }
}
