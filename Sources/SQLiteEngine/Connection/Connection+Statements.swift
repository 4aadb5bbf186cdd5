import StrataCSQLite
import StrataRowStore
import StrataSQLText

extension Connection {
  /// Prepares a statement, or returns it from the cache if it is not in use.
  package func statement(_ text: String) throws -> Statement {
    if let cached = statements.statement(text) {
      if !cached.isBusy { return cached }
      return try Statement(text, on: self)
    }
    let statement = try Statement(text, on: self)
    statements.insert(statement)
    return statement
  }

  /// Prepares a statement and discards it. Throws if it does not fit the current tables and triggers; a cached
  /// statement would fail only when run.
  package func checkStatement(_ text: String) throws { _ = try Statement(text, on: self) }

  /// Runs a statement to completion.
  package func run(_ text: String, bindings: [StoredValue] = []) throws {
    let statement = try statement(text)
    try statement.bind(bindings)
    try statement.run()
  }

  /// Runs a statement to completion.
  package func run(_ statement: SQLStatement) throws { try run(statement.text, bindings: statement.bindings) }

  /// All rows of a statement, for callers where speed does not matter.
  package func rows(_ text: String, bindings: [StoredValue] = []) throws -> [[StoredValue]] {
    let statement = try statement(text)
    try statement.bind(bindings)
    defer { statement.reset() }
    var rows: [[StoredValue]] = []
    while try statement.step() { rows.append((0..<statement.columnCount).map(statement.value)) }
    return rows
  }

  /// The first column of the first row; nil if there is no row.
  package func value(_ text: String, bindings: [StoredValue] = []) throws -> StoredValue? {
    let statement = try statement(text)
    try statement.bind(bindings)
    defer { statement.reset() }
    return try statement.step() ? statement.value(0) : nil
  }

  /// The integer in the first column of the first row.
  package func integer(_ text: String, bindings: [StoredValue] = []) throws -> Int64? {
    if case .integer(let number)? = try value(text, bindings: bindings) { number } else { nil }
  }

  /// The integer in the first column of the first row of a statement with one integer parameter.
  package func integer(_ text: String, of key: Int64) throws -> Int64? {
    let statement = try statement(text)
    statement.bind(key, at: 1)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The query plan of a statement, and of the triggers that it fires.
  /// See https://sqlite.org/eqp.html
  package func plan(_ text: String) throws -> [String] {
    strata_set_trigger_plans(handle, 1)
    defer { strata_set_trigger_plans(handle, 0) }
    let plan = try Statement("EXPLAIN QUERY PLAN " + text, on: self)
    var lines: [String] = []
    while try plan.step() { lines += plan.text(3).map { [$0] } ?? [] }
    return lines
  }

  /// A number that changes when another connection, in any process, commits a change to the file.
  /// See https://sqlite.org/pragma.html#pragma_data_version
  package func dataVersion() throws -> Int64 { try integer("PRAGMA data_version") ?? 0 }
}
