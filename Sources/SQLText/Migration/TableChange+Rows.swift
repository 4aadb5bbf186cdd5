import StrataManagedModel
import StrataRowStore

extension TableChange {
  /// Unused columns are dropped last, when nothing reads them any more.
  package var dropColumns: [SQLStatement] {
    guard isInPlace, let moves, let origin else { return [] }
    let used = Set(moves.values)
    return origin.columns.filter { !used.contains($0.name) }.map {
      "ALTER TABLE \(table.name) DROP COLUMN \($0.name)"
    }
  }

  /// Copies the rows of a table that was set aside.
  func copies(_ schema: StoreSchema) -> [SQLStatement] {
    guard let origin else { return [] }
    let own = schema.rowColumns
    let oldName = RowMigration.oldName(origin.name, in: schema.dialect)
    return rows.map { rows in
      let columns = table.columns.filter { rows.values[$0.name].map { $0 != .null } ?? false }
      let names = columns.map { ", \($0.name)" }.joined()
      let values = columns.map { ", \(rows.values[$0.name]?.expression(in: schema.dialect) ?? "NULL")" as SQLStatement }
      return """
        INSERT INTO \(table.name) (\(own.key), \(own.entity), \(own.version)\(names)) SELECT \(own.key), \(rows.after), \
        \(own.version)\(values.joined(separator: "")) FROM \(oldName) WHERE \(own.entity) = \(rows.before)
        """
    }
  }

  /// Changes the table in place.
  /// - Parameter addColumn: adds a column, either with NULL in all rows or with their values.
  func alterations(
    _ schema: StoreSchema, addColumn: (RootTable.Column, TableChange) -> (statements: [SQLStatement], isFilled: Bool)
  ) -> [SQLStatement] {
    guard let moves, let origin else { return [] }
    var statements: [SQLStatement] = []
    var filled: Set<String> = []
    if origin.name != table.name { statements.append("ALTER TABLE \(origin.name) RENAME TO \(table.name)") }
    for column in table.columns {
      guard let old = moves[column.name] else {
        let addition = addColumn(column, self)
        statements += addition.statements
        if addition.isFilled { filled.insert(column.name) }
        continue
      }
      if old != column.name {
        statements.append("ALTER TABLE \(table.name) RENAME COLUMN \(old) TO \(column.name)")
      }
    }
    if !gone.isEmpty {
      statements.append("DELETE FROM \(table.name) WHERE \(schema.rowColumns.entity) IN (\(list(gone)))")
    }
    return statements + changes(schema, but: filled)
  }

  private func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

  /// All changes of values, in a single pass over the rows.
  private func changes(_ schema: StoreSchema, but filled: Set<String>) -> [SQLStatement] {
    let entity = schema.rowColumns.entity
    var changes: [SQLStatement] = []
    let renumbered = rows.filter { $0.before != $0.after }
    if !renumbered.isEmpty {
      let cases = renumbered.map { " WHEN \($0.before) THEN \($0.after)" }.joined()
      changes.append("\(entity) = CASE \(entity)\(cases) ELSE \(entity) END")
    }
    changes += table.columns.filter { !filled.contains($0.name) }.compactMap { change(of: $0, schema) }
    guard !changes.isEmpty else { return [] }
    return ["UPDATE \(table.name) SET \(changes.joined(separator: ", "))"]
  }

  private func change(of column: RootTable.Column, _ schema: StoreSchema) -> SQLStatement? {
    var cases = SQLStatement()
    for rows in self.rows {
      guard let value = rows.values[column.name], value != .null, value.plainColumn == nil else { continue }
      cases.append(" WHEN \(rows.before) THEN \(value.expression(column.name, in: schema.dialect))")
    }
    return cases.text.isEmpty
      ? nil : "\(column.name) = CASE \(schema.rowColumns.entity)\(cases) ELSE \(column.name) END"
  }
}
