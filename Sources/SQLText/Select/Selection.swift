import StrataManagedModel
import StrataRowStore

/// The columns of a SELECT of rows, and what each of them is.
struct Selection: Sendable {
  /// The columns' texts, with the alias `t0`.
  let columns: [String]
  let shape: RowShape

  /// - Parameter family: the entities of the rows.
  init(of family: [EntityLayout], in schema: StoreSchema) {
    var names = schema.rowColumns.names
    // A search of the names, not a dictionary, whose generic code is not specialized here: a table has few columns.
    let first = names.count
    func index(_ name: String) -> Int32 {
      var known = first
      while known < names.count {
        if names[known] == name { return Int32(known) }
        known += 1
      }
      names.append(name)
      return Int32(names.count - 1)
    }
    // SQLite parses a row's header up to the column that it needs. If the last column comes first, it parses the header
    // in one pass, which saves a tenth of the time for reading a table.
    if let last = schema.lastColumn(of: family) { _ = index(last) }
    let most = family.map { schema.table(of: $0).number }.max() ?? 0
    var entities = [RowShape.EntityShape?](repeating: nil, count: most + 1)
    for layout in family {
      let table = schema.table(of: layout)
      var slots: [RowShape.SlotSource] = []
      slots.reserveCapacity(layout.kinds.count)
      for slot in 0..<layout.kinds.count {
        var (number, entityNumber) = (-1 as Int32, -1 as Int32)
        let column = table.columns[slot]
        if let column { number = index(column.name) }
        if let entityColumn = column?.entityColumn { entityNumber = index(entityColumn) }
        slots.append(
          RowShape.SlotSource(
            column: number, entityColumn: entityNumber, destination: column?.destination ?? 0, kind: layout.kinds[slot],
            isExternal: column?.isExternal ?? false))
      }
      entities[table.number] = RowShape.EntityShape(layout: layout, slots: slots)
    }
    let entityColumn = schema.entityColumn(of: family.map(\.number))
    var columns: [String] = []
    columns.reserveCapacity(names.count)
    for name in names { columns.append(columns.count == 1 ? entityColumn : "t0.\(name)") }
    self.columns = columns
    shape = RowShape(names: names, entities: entities)
  }
}
