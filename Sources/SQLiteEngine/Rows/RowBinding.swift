import StrataCSQLite
import Foundation
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
  ///   - id: the row's permanent id.
  ///   - version: the row's new version; until then it has `page`'s version.
  ///   - permanent: maps a temporary id to its permanent one.
  @inline(__always)
  package func bind(
    _ page: RowPage, _ row: Int, id: RowID, version: Int64, permanent: (RowID) throws -> RowID
  ) throws {
    let handle = statement.handle
    for (index, parameter) in parameters.enumerated() {
      let place = Int32(truncatingIfNeeded: index &+ 1)
      switch parameter {
      case .key: sqlite3_bind_int64(handle, place, id.key)
      case .entity: sqlite3_bind_int64(handle, place, entity)
      case .version: sqlite3_bind_int64(handle, place, version)
      case .expectedVersion: sqlite3_bind_int64(handle, place, page.version(row))
      case .slot(let slot): try bind(page, row, slot, at: place, permanent)
      case .slotEntity(let slot):
        if page.isNil(row, slot) {
          sqlite3_bind_null(handle, place)
        } else {
          sqlite3_bind_int64(handle, place, Int64(schema.storedNumber(of: page.reference(row, slot).entity)))
        }
      }
    }
  }

  @inline(__always)
  private func bind(
    _ page: RowPage, _ row: Int, _ slot: Int, at place: Int32, _ permanent: (RowID) throws -> RowID
  ) throws {
    let handle = statement.handle
    if page.isNil(row, slot) {
      sqlite3_bind_null(handle, place)
      return
    }
    switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64, .boolean: sqlite3_bind_int64(handle, place, page.integer(row, slot))
    case .double, .float, .date: sqlite3_bind_double(handle, place, page.double(row, slot))
    case .string, .uri: bindText(page.bytes(row, slot), at: place)
    case .data, .transformable:
      if external[slot] {
        try bindExternal(page.bytes(row, slot), at: place)
      } else {
        bindBlob(page.bytes(row, slot), at: place)
      }
    case .uuid: bindBlob(page.bytes(row, slot), at: place)
    case .decimal:
      var text = page.bytes(row, slot).loadUnaligned(as: Decimal.self).description
      _ = text.withUTF8 { sqlite3_bind_text(handle, place, $0.baseAddress, Int32($0.count), Statement.copied) }
    case .toOne:
      let id = page.reference(row, slot)
      sqlite3_bind_int64(handle, place, id.isTemporary ? try permanent(id).key : id.key)
    case .object: sqlite3_bind_null(handle, place)
    }
  }

  private func bindText(_ bytes: UnsafeRawBufferPointer, at place: Int32) {
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    sqlite3_bind_text64(statement.handle, place, start, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
  }

  private func bindBlob(_ bytes: UnsafeRawBufferPointer, at place: Int32) {
    sqlite3_bind_blob64(statement.handle, place, bytes.baseAddress, UInt64(bytes.count), nil)
  }

  /// Binds small data inline; writes large data to a file of their own.
  private func bindExternal(_ bytes: UnsafeRawBufferPointer, at place: Int32) throws {
    let stored = try bytes.count > ExternalFiles.mostInline ? files?.write(bytes) ?? [1] + bytes : [1] + bytes
    _ = stored.withUnsafeBytes {
      sqlite3_bind_blob64(statement.handle, place, $0.baseAddress, UInt64($0.count), Statement.copied)
    }
  }
}
