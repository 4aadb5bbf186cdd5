import StrataManagedModel

/// The columns of a SELECT of rows, and what each of them is.
struct Selection: Sendable {
  /// The columns' texts, with the alias `t0`.
  let columns: [String]
  let shape: RowShape

  /// - Parameter family: the entities of the rows.
  init(of family: [EntityLayout], in schema: StoreSchema) {
    var names = schema.rowColumns.names
    var indexes: [String: Int] = [:]
    func index(_ name: String) -> Int32 {
      if let known = indexes[name] { return Int32(known) }
      indexes[name] = names.count
      names.append(name)
      return Int32(names.count - 1)
    }
    // SQLite parses a row's header only as far as the column that it needs. If the last column comes first it does so
    // in one go, which saves a tenth of its time for reading a table.
    if let last = schema.lastColumn(of: family) { _ = index(last) }
    let most = family.map { schema.table(of: $0).number }.max() ?? 0
    var entities = [RowShape.EntityShape?](repeating: nil, count: most + 1)
    for layout in family {
      let table = schema.table(of: layout)
      let slots = layout.slots.indices.map { slot in
        let column = table.columns[slot]
        return RowShape.SlotSource(
          column: column.map { index($0.name) } ?? -1, entityColumn: column?.entityColumn.map(index) ?? -1,
          destination: column?.destination ?? 0, kind: layout.slots[slot].kind,
          isExternal: column?.isExternal ?? false)
      }
      entities[table.number] = RowShape.EntityShape(layout: layout, slots: slots)
    }
    let entityColumn = schema.entityColumn(of: family.map(\.number))
    columns = names.enumerated().map { $0 == 1 ? entityColumn : "t0.\($1)" }
    shape = RowShape(names: names, entities: entities)
  }
}
