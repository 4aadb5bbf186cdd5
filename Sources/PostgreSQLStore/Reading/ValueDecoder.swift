import Foundation
import StrataManagedModel
import StrataPostgreSQLEngine
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// Copies the values of an answer into a table.
struct ValueDecoder {
  let shape: ValueShape
  let schema: StoreSchema
  let store: Int

  func values(of result: ServerResult) -> ValueTable {
    let table = ValueTable(width: shape.sources.count)
    for row in 0..<result.rowCount {
      for source in shape.sources { append(source, of: result, row, to: table) }
    }
    return table
  }

  private func append(_ source: ValueShape.Source, of result: ServerResult, _ row: Int, to table: ValueTable) {
    let column = Int(source.column)
    guard !result.isNull(row, column) else { return table.appendNull() }
    let bytes = result.bytes(row, column)
    switch (source.kind, result.value(row, column)) {
    case (.toOne, .integer(let key)):
      let stored = source.entityColumn < 0 ? 0 : Int(result.integer(row, Int(source.entityColumn)))
      let entity = stored == 0 ? source.destination : schema.number(ofStored: stored) ?? source.destination
      table.append(RowID(store: store, entity: entity, key: key).bits, kind: .toOne)
    case (.date, .real(let seconds)): table.append(seconds.bitPattern, kind: .date)
    case (.decimal, _): table.append(.decimal(BinaryValue.decimal(bytes)), as: .decimal)
    case (.uri, _): table.append(bytes, kind: .uri)
    case (.uuid, _): table.append(bytes, kind: .uuid)
    case (.transformable, _): table.append(bytes, kind: .transformable)
    case (let kind, .integer(let integer)): table.append(.integer(integer), as: kind)
    case (let kind, .real(let real)): table.append(.real(real), as: kind)
    case (let kind, .text(let text)): table.append(.string(text), as: kind)
    case (let kind, .blob): table.append(bytes, kind: kind ?? .data)
    case (_, .null), (_, .list): table.appendNull()
    }
  }
}
