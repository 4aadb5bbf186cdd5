import StrataManagedModel
import StrataRowStore
import StrataSQLText

extension TableChange {
  /// Gives the new table its columns and rows, except for what depends on other tables.
  func rows(_ destination: StoreSchema) -> [SQLStatement] {
    if isKept { return [] }
    return isInPlace ? alterations : [declaration] + copies
  }

  /// Unused columns are dropped last, when nothing reads them any more.
  var dropColumns: [SQLStatement] {
    guard isInPlace, let moves, let origin else { return [] }
    let used = Set(moves.values)
    return origin.columns.filter { !used.contains($0.name) }.map {
      "ALTER TABLE \(table.name) DROP COLUMN \($0.name)"
    }
  }

  private var declaration: SQLStatement {
    let columns = table.columns.map { ", \($0.name) \($0.type)" }.joined()
    return "CREATE TABLE \(table.name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER\(columns) )"
  }

  private var copies: [SQLStatement] {
    guard let origin else { return [] }
    return rows.map { rows in
      let columns = table.columns.filter { rows.values[$0.name].map { $0 != .constant(.null) } ?? false }
      let names = columns.map { ", \($0.name)" }.joined()
      let values = columns.map { ", \(rows.values[$0.name]?.expression() ?? "NULL")" as SQLStatement }
      return """
        INSERT INTO \(table.name) (Z_PK, Z_ENT, Z_OPT\(names)) SELECT Z_PK, \(rows.after), Z_OPT\
        \(values.joined(separator: "")) FROM \(MigrationWriter.oldName(origin.name)) WHERE Z_ENT = \(rows.before)
        """
    }
  }

  private var alterations: [SQLStatement] {
    guard let moves, let origin else { return [] }
    var statements: [SQLStatement] = []
    if origin.name != table.name { statements.append("ALTER TABLE \(origin.name) RENAME TO \(table.name)") }
    for column in table.columns {
      guard let old = moves[column.name] else {
        statements.append("ALTER TABLE \(table.name) ADD COLUMN \(column.name) \(column.type)")
        continue
      }
      if old != column.name {
        statements.append("ALTER TABLE \(table.name) RENAME COLUMN \(old) TO \(column.name)")
      }
    }
    if !gone.isEmpty { statements.append("DELETE FROM \(table.name) WHERE Z_ENT IN (\(list(gone)))") }
    return statements + changes
  }

  private func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

  /// All changes of values, in a single pass over the rows.
  private var changes: [SQLStatement] {
    var changes: [SQLStatement] = []
    let renumbered = rows.filter { $0.before != $0.after }
    if !renumbered.isEmpty {
      let cases = renumbered.map { " WHEN \($0.before) THEN \($0.after)" }.joined()
      changes.append("Z_ENT = CASE Z_ENT\(cases) ELSE Z_ENT END")
    }
    changes += table.columns.compactMap(change)
    guard !changes.isEmpty else { return [] }
    return ["UPDATE \(table.name) SET \(changes.joined(separator: ", "))"]
  }

  private func change(of column: RootTable.Column) -> SQLStatement? {
    var cases = SQLStatement()
    for rows in self.rows {
      guard let value = rows.values[column.name], value != .constant(.null), value.plainColumn == nil else { continue }
      cases.append(" WHEN \(rows.before) THEN \(value.expression(column.name))")
    }
    return cases.text.isEmpty ? nil : "\(column.name) = CASE Z_ENT\(cases) ELSE \(column.name) END"
  }
}
