import StrataCSQLite
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Copies the values of a SELECT into a table, each once, without creating a String or a box.
package struct ValueFetcher {
  private let shape: ValueShape
  private let schema: StoreSchema
  private let store: Int
  private let path: String

  /// - Parameters:
  ///   - store: the store's number, for the IDs.
  ///   - path: the store file; external data files are in a folder next to it.
  package init(shape: ValueShape, schema: StoreSchema, store: Int, path: String) {
    self.shape = shape
    self.schema = schema
    self.store = store
    self.path = path
  }

  /// Runs a bound statement to completion and resets it.
  package func values(of statement: Statement) throws -> ValueTable {
    let table = ValueTable(width: shape.sources.count)
    defer { statement.reset() }
    while try statement.step() {
      for source in shape.sources { try append(source, of: statement, to: table) }
    }
    return table
  }

  /// The values in the statement's current row.
  package func values(inRowOf statement: Statement) throws -> ValueTable {
    let table = ValueTable(width: shape.sources.count)
    for source in shape.sources { try append(source, of: statement, to: table) }
    return table
  }

  private func append(_ source: ValueShape.Source, of statement: Statement, to table: ValueTable) throws {
    let value = sqlite3_column_value(statement.handle, source.column)
    let type = sqlite3_value_type(value)
    if type == SQLITE_NULL { return table.appendNull() }
    switch source.kind {
    case .integer16, .integer32, .integer64:
      table.append(UInt64(bitPattern: sqlite3_value_int64(value)), kind: source.kind ?? .integer64)
    case .boolean: table.append(sqlite3_value_double(value) != 0 ? 1 : 0, kind: .boolean)
    case .double, .float, .date: table.append(sqlite3_value_double(value).bitPattern, kind: source.kind ?? .double)
    case .string, .uri: table.append(Self.text(value), kind: source.kind ?? .string)
    case .decimal: withUnsafeBytes(of: RowFetcher.decimal(value)) { table.append($0, kind: .decimal) }
    case .uuid: table.append(try Self.uuid(value, path: path), kind: .uuid)
    case .toOne: table.append(id(value, source: source, statement: statement.handle).bits, kind: .toOne)
    case .data, .transformable:
      let kind = source.kind ?? .data
      guard source.isExternal else { return table.append(RowFetcher.blob(value), kind: kind) }
      let isRead = try statement.connection.dataFiles.read(RowFetcher.blob(value)) { table.append($0, kind: kind) }
      if !isRead { table.appendNull() }
    case .object, nil: append(value, of: type, to: table)
    }
  }

  private func append(_ value: OpaquePointer?, of type: Int32, to table: ValueTable) {
    switch type {
    case SQLITE_INTEGER: table.append(UInt64(bitPattern: sqlite3_value_int64(value)), kind: .integer64)
    case SQLITE_FLOAT: table.append(sqlite3_value_double(value).bitPattern, kind: .double)
    case SQLITE_TEXT: table.append(Self.text(value), kind: .string)
    default: table.append(RowFetcher.blob(value), kind: .data)
    }
  }

  private func id(_ value: OpaquePointer?, source: ValueShape.Source, statement: OpaquePointer) -> RowID {
    let stored = source.entityColumn < 0 ? 0 : Int(sqlite3_column_int64(statement, source.entityColumn))
    let entity = stored == 0 ? source.destination : schema.number(ofStored: stored) ?? source.destination
    return RowID(store: store, entity: entity, key: sqlite3_value_int64(value))
  }

  private static func text(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    // Text before length: the conversion may change the length.
    let start = sqlite3_value_text(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  private static func uuid(_ value: OpaquePointer?, path: String) throws -> UnsafeRawBufferPointer {
    let bytes = RowFetcher.blob(value)
    guard bytes.count == 16 else {
      throw StoreError(.corrupt, "The store '\(path)' has \(bytes.count) bytes for a UUID instead of 16.")
    }
    return bytes
  }
}
