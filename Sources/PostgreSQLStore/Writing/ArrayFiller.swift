import Foundation
import Glibc
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
  private let columns: [ServerColumn]
  /// What goes into each column, so that the layout need not be looked at for each value.
  private let fillings: [Filling]
  private(set) var count = 0

  private enum Filling {
    case key, version, expectedVersion
    /// The same for all rows.
    case constant(Int64)
    case integer(Int), real(Int), text(Int), bytes(Int), decimal(Int), reference(Int), referenceEntity(Int)
    case null
  }

  init(_ statement: ArrayStatement, of layout: EntityLayout, in schema: StoreSchema) {
    (self.statement, self.layout, self.schema) = (statement, layout, schema)
    columns = statement.parameters.map { ServerColumn(Self.kind($0, of: layout)) }
    fillings = statement.parameters.map { Self.filling($0, of: layout, in: schema) }
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

  private static func filling(_ parameter: RowParameter, of layout: EntityLayout, in schema: StoreSchema) -> Filling {
    switch parameter {
    case .key: .key
    case .entity: .constant(Int64(schema.storedNumber(of: layout.number)))
    case .version: .version
    case .expectedVersion: .expectedVersion
    case .slotEntity(let slot): .referenceEntity(slot)
    case .slot(let slot):
      switch layout.slots[slot].kind {
      case .integer16, .integer32, .integer64, .boolean: .integer(slot)
      case .double, .float, .date: .real(slot)
      case .string, .uri: .text(slot)
      case .data, .transformable, .uuid: .bytes(slot)
      case .decimal: .decimal(slot)
      case .toOne: .reference(slot)
      case .object: .null
      }
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
    let (page, index) = (row.page, row.index)
    for place in fillings.indices {
      let column = columns[place].values
      switch fillings[place] {
      case .key: column.append(id.key)
      case .version: column.append(version)
      case .expectedVersion: column.append(row.version)
      case .constant(let number): column.append(number)
      case .integer(let slot) where !page.isNil(row: index, slot: slot):
        column.append(page.integer(row: index, slot: slot))
      case .real(let slot) where !page.isNil(row: index, slot: slot): column.append(page.double(row: index, slot: slot))
      case .text(let slot) where !page.isNil(row: index, slot: slot):
        let text = page.bytes(row: index, slot: slot)
        if let start = text.baseAddress, memchr(start, 0, text.count) != nil { throw layout.refusalOfNull(slot) }
        column.append(text)
      case .bytes(let slot) where !page.isNil(row: index, slot: slot): column.append(page.bytes(row: index, slot: slot))
      case .decimal(let slot) where !page.isNil(row: index, slot: slot):
        column.append("\(page.bytes(row: index, slot: slot).loadUnaligned(as: Decimal.self))")
      case .reference(let slot) where !page.isNil(row: index, slot: slot):
        column.append(try permanent(page.reference(row: index, slot: slot)).key)
      case .referenceEntity(let slot) where !page.isNil(row: index, slot: slot):
        column.append(Int64(schema.storedNumber(of: page.reference(row: index, slot: slot).entity)))
      default: column.appendNull()
      }
    }
  }

  /// A row of which only key and version matter; a version of nil is any.
  mutating func append(_ id: RowID, version: Int64?) {
    count += 1
    columns[0].values.append(id.key)
    if let version { columns[1].values.append(version) } else { columns[1].values.appendNull() }
  }
}
