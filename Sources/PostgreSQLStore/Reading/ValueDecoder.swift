import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// Copies the values of a result into a table.
struct ValueDecoder {
  private let shape: ValueShape
  private let schema: StoreSchema
  private let store: Int
  private let address: ServerAddress

  init(_ shape: ValueShape, _ source: ServerReader) {
    self.shape = shape
    (schema, store, address) = (source.schema, source.store, source.connection.address)
  }

  func values(of result: ServerResult) throws -> ValueTable {
    let table = ValueTable(width: shape.sources.count)
    for row in 0..<result.rowCount {
      for source in shape.sources { try append(source, of: result, row, to: table) }
    }
    return table
  }

  private func append(_ source: ValueShape.Source, of result: ServerResult, _ row: Int, to table: ValueTable) throws {
    let column = Int(source.column)
    guard !result.isNull(row, column) else { return table.appendNull() }
    let bytes = result.bytes(row, column)
    switch result.type(of: column) {
    case .integer where source.kind == .toOne:
      let stored = source.entityColumn < 0 ? 0 : Int(result.integer(row, Int(source.entityColumn)))
      let entity = stored == 0 ? source.destination : schema.number(ofStored: stored) ?? source.destination
      table.append(RowID(store: store, entity: entity, key: BinaryValue.integer(bytes)).bits, kind: .toOne)
    case .integer: table.append(.integer(BinaryValue.integer(bytes)), as: source.kind)
    case .real where source.kind == .date: table.append(BinaryValue.real(bytes).bitPattern, kind: .date)
    case .real: table.append(.real(BinaryValue.real(bytes)), as: source.kind)
    case .decimal: table.append(.decimal(BinaryValue.decimal(bytes)), as: source.kind)
    case .text: table.append(bytes, kind: source.kind == .uri ? .uri : .string)
    case .bytes:
      if source.kind == .uuid { try RowDecoder.checkUUID(bytes, in: address) }
      table.append(bytes, kind: source.kind ?? .data)
    }
  }
}
