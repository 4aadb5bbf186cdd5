import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Triggers and indexes made by other programs.
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

  /// Recreates one, unless it names something that no longer exists: SQLite finds that out only when it prepares a
  /// statement that fires the trigger.
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

  /// Fails for a missing table or column; any other complaint about the statement is not the trigger's fault.
  private func probe(_ statement: String) throws {
    do { try checkStatement(statement) } catch let error as StoreError where error.code != .corrupt {}
  }

  func columns(of table: String) throws -> [String] {
    try rows("SELECT name FROM pragma_table_info(?)", bindings: [.text(table)]).compactMap {
      if case .text(let name) = $0[0] { name } else { nil }
    }
  }

  /// Performs the next task that a deferred migration left, inside a transaction. Returns false if nothing is left.
  func runDeferredTask(_ tasks: DeferredTasks) throws -> Bool {
    let all = try declarations
    var columns: [String: [String]] = [:]
    for table in tasks.tables { columns[table] = try self.columns(of: table) }
    let indexes = Set(all.filter { $0.type == "index" }.map(\.name))
    guard let statement = try tasks.statements(columns, indexes: indexes).first else { return false }
    // SQLite refuses to drop a column that a trigger or an index refers to.
    let foreign = all.filter(\.isForeign)
    for declaration in foreign { try run("DROP \(declaration.type) \"\(declaration.name)\"") }
    try run(statement)
    for declaration in foreign { try restore(declaration) }
    return true
  }
}
