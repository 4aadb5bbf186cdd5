import StrataManagedModel

/// The columns of a SELECT of rows of some entities, and what each of them is.
struct Selection: Sendable {
  /// Behind SELECT, with the alias `t0`.
  let text: String
  let shape: RowShape

  /// - Parameter family: the entities whose rows are wanted.
  init(of family: [EntityLayout], in schema: StoreSchema) {
    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
    var places: [String: Int] = [:]
    func place(_ name: String) -> Int32 {
      if let known = places[name] { return Int32(known) }
      places[name] = names.count
      names.append(name)
      return Int32(names.count - 1)
    }
    // SQLite finds out where the columns of a row lie as far as it is asked for one: asked for the last one first it does so
    // once and not column by column, which saves it a tenth of its part in reading a table.
    if let last = schema.lastColumn(of: family) { _ = place(last) }
    var entities: [RowShape.EntityShape?] = []
    for layout in family {
      let table = schema.table(of: layout)
      let slots = zip(layout.slots, table.columns).map { slot, column in
        RowShape.SlotSource(
          column: column.map { place($0.name) } ?? -1, entityColumn: column?.entityColumn.map(place) ?? -1,
          destination: column?.destination ?? 0, kind: slot.kind, isExternal: column?.isExternal ?? false)
      }
      if entities.count <= table.number {
        entities += [RowShape.EntityShape?](repeating: nil, count: table.number + 1 - entities.count)
      }
      entities[table.number] = RowShape.EntityShape(layout: layout, slots: slots)
    }
    let entityColumn = schema.entityColumn(of: family.map(\.number))
    text = names.enumerated().map { $0 == 1 ? entityColumn : "t0.\($1)" }.joined(separator: ", ")
    shape = RowShape(names: names, entities: entities)
  }
}
