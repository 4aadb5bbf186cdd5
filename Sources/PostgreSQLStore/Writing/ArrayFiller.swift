import Foundation
import StrataManagedModel
import StrataPostgreSQLEngine
import StrataPostgreSQLText
import StrataRowStore
import StrataSQLText

/// Fills the arrays of a statement with the values of rows of one entity.
struct ArrayFiller {
  private let statement: ArrayStatement
  private let layout: EntityLayout
  private let schema: StoreSchema
  private var columns: [ServerColumn]
  private(set) var count = 0

  init(_ statement: ArrayStatement, of layout: EntityLayout, in schema: StoreSchema) {
    (self.statement, self.layout, self.schema) = (statement, layout, schema)
    columns = statement.parameters.map { ServerColumn(Self.kind($0, of: layout)) }
  }

  private static func kind(_ parameter: RowParameter, of layout: EntityLayout) -> ServerColumn.Kind {
    guard case .slot(let slot) = parameter else { return .integers }
    return switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64, .boolean, .toOne, .object: .integers
    case .double, .float, .date: .reals
    case .decimal, .string, .uri: .texts
    case .data, .transformable: .bytes
    case .uuid: .uuids
    }
  }

  /// The size of the arrays in bytes.
  var size: Int { columns.reduce(0) { $0 + $1.size } }

  var filled: ServerStatement { ServerStatement(statement.text, columns.map(ServerParameter.column)) }

  /// - Parameters:
  ///   - id: the row's permanent id.
  ///   - version: the version that the row gets.
  ///   - permanent: maps a temporary id to its permanent one.
  /// - Throws: `.unsupported` for a text with U+0000, and what `permanent` throws.
  mutating func append(_ row: Row, id: RowID, version: Int64, permanent: (RowID) throws -> RowID) throws {
    count += 1
    for (index, parameter) in statement.parameters.enumerated() {
      switch parameter {
      case .key: columns[index].append(id.key)
      case .entity: columns[index].append(Int64(schema.storedNumber(of: id.entity)))
      case .version: columns[index].append(version)
      case .expectedVersion: columns[index].append(row.version)
      case .slot(let slot): try append(row, slot, to: &columns[index], permanent)
      case .slotEntity(let slot):
        let entity = row.page.reference(row: row.index, slot: slot).entity
        if row.page.isNil(row: row.index, slot: slot) {
          columns[index].appendNull()
        } else {
          columns[index].append(Int64(schema.storedNumber(of: entity)))
        }
      }
    }
  }

  /// A row of which only key and version matter; a version of nil is any.
  mutating func append(_ id: RowID, version: Int64?) {
    count += 1
    columns[0].append(id.key)
    if let version { columns[1].append(version) } else { columns[1].appendNull() }
  }

  private func append(
    _ row: Row, _ slot: Int, to column: inout ServerColumn, _ permanent: (RowID) throws -> RowID
  ) throws {
    let (page, index) = (row.page, row.index)
    guard !page.isNil(row: index, slot: slot) else { return column.appendNull() }
    switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64, .boolean: column.append(page.integer(row: index, slot: slot))
    case .double, .float, .date: column.append(page.double(row: index, slot: slot))
    case .string, .uri:
      let text = page.bytes(row: index, slot: slot)
      guard !text.contains(0) else { throw refusal(of: slot) }
      column.append(text)
    case .data, .transformable, .uuid: column.append(page.bytes(row: index, slot: slot))
    case .decimal: column.append("\(page.bytes(row: index, slot: slot).loadUnaligned(as: Decimal.self))")
    case .toOne: column.append(try permanent(page.reference(row: index, slot: slot)).key)
    case .object: column.appendNull()
    }
  }

  private func refusal(of slot: Int) -> StoreError {
    StoreError(
      .unsupported,
      "The text of '\(layout.name).\(layout.slots[slot].name)' has the character U+0000, which PostgreSQL cannot keep. "
        + "Store it as data, or without that character. Nothing was changed.")
  }
}
