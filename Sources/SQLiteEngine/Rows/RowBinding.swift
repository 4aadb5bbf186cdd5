import Foundation
import StrataCSQLite
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// A prepared INSERT or UPDATE of one entity, to run for row after row.
package final class RowBinding {
  package let statement: Statement
  private let parameters: [RowParameter]
  private let layout: EntityLayout
  /// Whether a slot's data begin with a byte that says where they are stored.
  private let external: [Bool]
  private let schema: StoreSchema
  private let entity: Int64
  private let files: ExternalFiles?

  package init(_ rowStatement: RowStatement, layout: EntityLayout, schema: StoreSchema, on connection: Connection)
    throws
  {
    statement = try connection.statement(rowStatement.text)
    files = connection.externalFiles
    parameters = rowStatement.parameters
    self.layout = layout
    self.schema = schema
    external = schema.table(of: layout).columns.map { $0?.isExternal ?? false }
    entity = Int64(schema.storedNumber(of: layout.number))
  }

  /// Binds a row. Text and data are not copied: the row must not change until the statement has run.
  /// - Parameters:
  ///   - id: the row's permanent ID.
  ///   - version: the row's new version; until then it has `page`'s version.
  ///   - permanent: maps a temporary ID to its permanent one.
  @inline(__always)
  package func bind(
    _ page: RowPage, row: Int, id: RowID, version: Int64, permanent: (RowID) throws -> RowID
  ) throws {
    let handle = statement.handle
    for (index, parameter) in parameters.enumerated() {
      let number = Int32(truncatingIfNeeded: index &+ 1)
      switch parameter {
      case .key: sqlite3_bind_int64(handle, number, id.key)
      case .entity: sqlite3_bind_int64(handle, number, entity)
      case .version: sqlite3_bind_int64(handle, number, version)
      case .expectedVersion: sqlite3_bind_int64(handle, number, page.version(row))
      case .slot(let slot): try bindSlot(page, row: row, slot: slot, at: number, permanent: permanent)
      case .slotEntity(let slot):
        if page.isNil(row: row, slot: slot) {
          sqlite3_bind_null(handle, number)
        } else {
          sqlite3_bind_int64(
            handle, number, Int64(schema.storedNumber(of: page.reference(row: row, slot: slot).entity)))
        }
      }
    }
  }

  @inline(__always)
  private func bindSlot(
    _ page: RowPage, row: Int, slot: Int, at number: Int32, permanent: (RowID) throws -> RowID
  ) throws {
    let handle = statement.handle
    if page.isNil(row: row, slot: slot) {
      sqlite3_bind_null(handle, number)
      return
    }
    switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64, .boolean:
      sqlite3_bind_int64(handle, number, page.integer(row: row, slot: slot))
    case .double, .float, .date: sqlite3_bind_double(handle, number, page.double(row: row, slot: slot))
    case .string, .uri: bindText(page.bytes(row: row, slot: slot), at: number)
    case .data, .transformable:
      if external[slot] {
        try bindExternal(page.bytes(row: row, slot: slot), at: number)
      } else {
        bindBlob(page.bytes(row: row, slot: slot), at: number)
      }
    case .uuid: bindBlob(page.bytes(row: row, slot: slot), at: number)
    case .decimal:
      var text = page.bytes(row: row, slot: slot).loadUnaligned(as: Decimal.self).description
      _ = text.withUTF8 { sqlite3_bind_text(handle, number, $0.baseAddress, Int32($0.count), Statement.copied) }
    case .toOne:
      let id = page.reference(row: row, slot: slot)
      sqlite3_bind_int64(handle, number, id.isTemporary ? try permanent(id).key : id.key)
    case .object: sqlite3_bind_null(handle, number)
    }
  }

  private func bindText(_ bytes: UnsafeRawBufferPointer, at number: Int32) {
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    sqlite3_bind_text64(statement.handle, number, start, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
  }

  private func bindBlob(_ bytes: UnsafeRawBufferPointer, at number: Int32) {
    sqlite3_bind_blob64(statement.handle, number, bytes.baseAddress, UInt64(bytes.count), nil)
  }

  /// Binds small data inline; writes large data to a file of their own.
  private func bindExternal(_ bytes: UnsafeRawBufferPointer, at number: Int32) throws {
    let stored = try bytes.count > ExternalFiles.maximumInlineBytes ? files?.write(bytes) ?? [1] + bytes : [1] + bytes
    _ = stored.withUnsafeBytes {
      sqlite3_bind_blob64(statement.handle, number, $0.baseAddress, UInt64($0.count), Statement.copied)
    }
  }
}
