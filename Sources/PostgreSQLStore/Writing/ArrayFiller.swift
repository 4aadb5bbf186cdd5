import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Fills the arrays of a statement with the values of rows of one entity.
struct ArrayFiller {
  private let statement: ArrayStatement
  private let encoder: RowEncoder
  private let columns: [ServerColumn]
  private(set) var count = 0

  init(_ statement: ArrayStatement, of layout: EntityLayout, in schema: StoreSchema) {
    self.statement = statement
    encoder = RowEncoder(statement.parameters, of: layout, in: schema)
    columns = encoder.types.map(ServerColumn.init)
  }

  /// The size of the arrays in bytes.
  var size: Int { columns.reduce(0) { $0 + $1.size } }

  var filled: ServerStatement { ServerStatement(statement.text, columns.map(ServerParameter.column)) }

  /// Appends a row; see `RowEncoder.append`.
  mutating func append(_ row: Row, id: RowID, version: Int64, permanent: (RowID) throws -> RowID) throws {
    count += 1
    for index in columns.indices {
      try encoder.append(index, of: row, id: id, version: version, to: columns[index].values, permanent: permanent)
    }
  }

  /// A row of which only key and version matter; a version of nil is any.
  mutating func append(_ id: RowID, version: Int64?) {
    count += 1
    columns[0].values.append(id.key)
    if let version { columns[1].values.append(version) } else { columns[1].values.appendNull() }
  }
}
