import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Triggers and indexes that another program made.
extension Connection {
  var declarations: [MigrationWriter.Declaration] {
    get throws {
      try rows(MigrationWriter.Declaration.read).compactMap { row in
        if case .text(let type) = row[0], case .text(let name) = row[1], case .text(let table) = row[2],
          case .text(let text) = row[3]
        {
          MigrationWriter.Declaration(type: type, name: name, table: table, text: text)
        } else {
          nil
        }
      }
    }
  }

  /// Makes one again, unless it speaks of what is not there any more: SQLite finds that out when it prepares a statement
  /// that sets a trigger off.
  func restore(_ declaration: MigrationWriter.Declaration) throws {
    try run("SAVEPOINT foreign_declaration")
    do {
      if try !hasDeclaration(declaration.name) { try run(declaration.text) }
      for statement in declaration.probes(try columns(of: declaration.table)) { try probe(statement) }
    } catch let error as StoreError where error.code == .corrupt {
      try run("ROLLBACK TO foreign_declaration")
    }
    try run("RELEASE foreign_declaration")
  }

  /// Fails for a table or column that is not there; what else SQLite has against the statement is not the trigger's.
  private func probe(_ statement: String) throws {
    do { try checkStatement(statement) } catch let error as StoreError where error.code != .corrupt {}
  }

  func columns(of table: String) throws -> [String] {
    try rows("SELECT name FROM pragma_table_info(?)", [.text(table)]).compactMap {
      if case .text(let name) = $0[0] { name } else { nil }
    }
  }

  /// Does the first thing that a deferred migration has left, inside of a transaction; false if nothing is left.
  func runDeferredTask(_ tasks: DeferredTasks) throws -> Bool {
    let all = try declarations
    var columns: [String: [String]] = [:]
    for table in tasks.tables { columns[table] = try self.columns(of: table) }
    let indexes = Set(all.filter { $0.type == "index" }.map(\.name))
    guard let statement = try tasks.statements(columns, indexes: indexes).first else { return false }
    // A column is not dropped while a trigger or an index speaks of it.
    let foreign = all.filter(\.isForeign)
    for declaration in foreign { try run("DROP \(declaration.type) \"\(declaration.name)\"") }
    try run(statement)
    for declaration in foreign { try restore(declaration) }
    return true
  }
}
