import Foundation
import Glibc
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Encodes rows of one entity, each value in the type of its column.
struct RowEncoder: Sendable {
  private let layout: EntityLayout
  private let schema: StoreSchema
  /// The source of each column's value, so that the layout is not searched for each value.
  private let fields: [Field]
  let types: [ServerFields.ValueType]

  private enum Field {
    case key, version, expectedVersion, null
    /// The same for all rows.
    case entity(Int32)
    case integer16(Int), integer32(Int), integer64(Int), real(Int), text(Int), bytes(Int), decimal(Int)
    case reference(Int), referenceEntity(Int)
  }

  init(_ parameters: [RowParameter], of layout: EntityLayout, in schema: StoreSchema) {
    (self.layout, self.schema) = (layout, schema)
    let columns = parameters.map { Self.column($0, of: layout, in: schema) }
    (fields, types) = (columns.map(\.0), columns.map(\.1))
  }

  private static func column(
    _ parameter: RowParameter, of layout: EntityLayout, in schema: StoreSchema
  ) -> (Field, ServerFields.ValueType) {
    switch parameter {
    case .key: (.key, .integer64)
    case .entity: (.entity(Int32(schema.storedNumber(of: layout.number))), .integer32)
    case .version: (.version, .integer64)
    case .expectedVersion: (.expectedVersion, .integer64)
    case .slotEntity(let slot): (.referenceEntity(slot), .integer32)
    case .slot(let slot):
      switch layout.slots[slot].kind {
      case .integer16, .boolean: (.integer16(slot), .integer16)
      case .integer32: (.integer32(slot), .integer32)
      case .integer64: (.integer64(slot), .integer64)
      case .double, .float, .date: (.real(slot), .real)
      case .string, .uri: (.text(slot), .text)
      case .data, .transformable: (.bytes(slot), .bytes)
      case .uuid: (.bytes(slot), .uuid)
      case .decimal: (.decimal(slot), .decimal)
      case .toOne: (.reference(slot), .integer64)
      case .object: (.null, .integer64)
      }
    }
  }

  var count: Int { fields.count }

  /// Appends a row's values.
  /// - Parameters:
  ///   - id: the row's permanent ID.
  ///   - version: the version that the row gets.
  ///   - permanent: maps a temporary ID to its permanent one.
  /// - Throws: `.unsupported` for a text with U+0000, the server's error for an integer that its column cannot hold, and
  ///   errors of `permanent`.
  func append(
    _ row: Row, id: RowID, version: Int64, to values: ServerFields, permanent: (RowID) throws -> RowID
  ) throws {
    for field in fields.indices {
      try append(field, of: row, id: id, version: version, to: values, permanent: permanent)
    }
  }

  /// Appends one value of a row.
  /// - Parameter field: the index of the column's field.
  @inline(__always)
  func append(
    _ field: Int, of row: Row, id: RowID, version: Int64, to values: ServerFields, permanent: (RowID) throws -> RowID
  ) throws {
    let (page, index) = (row.page, row.index)
    switch fields[field] {
    case .key: values.append(id.key)
    case .version: values.append(version)
    case .expectedVersion: values.append(row.version)
    case .entity(let number): values.append(number)
    case .integer16(let slot) where !page.isNil(row: index, slot: slot):
      values.append(try exactly(Int16.self, page.integer(row: index, slot: slot), "smallint"))
    case .integer32(let slot) where !page.isNil(row: index, slot: slot):
      values.append(try exactly(Int32.self, page.integer(row: index, slot: slot), "integer"))
    case .integer64(let slot) where !page.isNil(row: index, slot: slot):
      values.append(page.integer(row: index, slot: slot))
    case .real(let slot) where !page.isNil(row: index, slot: slot): values.append(page.double(row: index, slot: slot))
    case .text(let slot) where !page.isNil(row: index, slot: slot):
      let text = page.bytes(row: index, slot: slot)
      if let start = text.baseAddress, memchr(start, 0, text.count) != nil { throw layout.refusalOfNull(slot) }
      values.append(text)
    case .bytes(let slot) where !page.isNil(row: index, slot: slot): values.append(page.bytes(row: index, slot: slot))
    case .decimal(let slot) where !page.isNil(row: index, slot: slot):
      values.append(page.bytes(row: index, slot: slot).loadUnaligned(as: Decimal.self))
    case .reference(let slot) where !page.isNil(row: index, slot: slot):
      let id = page.reference(row: index, slot: slot)
      values.append((id.isTemporary ? try permanent(id) : id).key)
    case .referenceEntity(let slot) where !page.isNil(row: index, slot: slot):
      values.append(Int32(schema.storedNumber(of: page.reference(row: index, slot: slot).entity)))
    default: values.appendNull()
    }
  }

  private func exactly<Number: FixedWidthInteger>(_: Number.Type, _ value: Int64, _ type: String) throws -> Number {
    guard let number = Number(exactly: value) else { throw ServerFailure.outOfRange(type) }
    return number
  }
}

extension EntityLayout {
  /// The error for a text that the server cannot keep.
  func refusalOfNull(_ slot: Int) -> StoreError {
    StoreError(
      .unsupported,
      "The text of '\(name).\(slots[slot].name)' has the character U+0000, which PostgreSQL cannot store. Store it "
        + "as data, or remove the character. Nothing was changed.")
  }
}
