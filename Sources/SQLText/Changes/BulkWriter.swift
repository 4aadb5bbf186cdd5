import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Writes batch requests: one statement for many rows.
package struct BulkWriter: Sendable {
  private let selects: SelectWriter

  package init(selects: SelectWriter) { self.selects = selects }

  package var schema: StoreSchema { selects.schema }
  var dialect: any SQLDialect { schema.dialect }

  /// The WHERE clause that selects a query's rows in a statement about their table alone; empty for all of its rows. It
  /// is part of a statement, so its placeholders are not numbered yet.
  /// - Throws: `.unsupported` for what SQL cannot say.
  package func rows(of query: FetchQuery) throws -> SQLStatement {
    if query.limit > 0 || query.offset > 0 { return try keys(of: query) }
    let scope = QueryScope(of: query.layout, in: schema, isNamed: false)
    var tests: [SQLStatement] = []
    if let test = selects.entityTest(query, on: schema.rowColumns.entity) { tests.append(SQLStatement(test)) }
    if let filter = try selects.filterCondition(of: query, in: scope) { tests.append(filter) }
    // Once other tables are joined, columns need an alias, which UPDATE and DELETE do not have.
    if scope.isJoined { return try keys(of: query) }
    return tests.isEmpty ? "" : " WHERE \(tests.joined(separator: " AND "))"
  }

  private func keys(of query: FetchQuery) throws -> SQLStatement {
    var query = query
    if query.limit == 0, query.offset == 0 { query.sort = [] }
    let key = schema.rowColumns.key
    return " WHERE \(key) IN (\(try selects.select("t0.\(key)", of: query, isOrdered: query.hasWindow)))"
  }

  /// Changes the rows of an update and increments their versions.
  /// - Throws: `.unsupported` for what SQL cannot say.
  package func update(_ update: BulkUpdate) throws -> BulkStatement {
    let table = schema.table(of: update.layout)
    var parameters: [RowParameter] = []
    var assignments = [SQLStatement(nextVersion)]
    for (slot, column) in table.columns.enumerated() {
      guard let column, !column.isDerived, update.constants[slot >> 6] >> UInt64(slot & 63) & 1 != 0 else { continue }
      assignments.append(SQLStatement("\(column.name) = \(dialect.placeholder(of: column.kind))"))
      parameters.append(.slot(slot))
      // The row has no position among its new owner's members yet.
      if let order = column.orderColumn { assignments.append(SQLStatement("\(order) = NULL")) }
      guard let entity = column.entityColumn else { continue }
      assignments.append(SQLStatement("\(entity) = ?"))
      parameters.append(.slotEntity(slot))
    }
    for computed in update.computed {
      guard let column = table.columns[computed.slot], !column.isDerived else { continue }
      assignments.append("\(column.name) = \(try value(computed.value, as: column, of: update.layout))")
    }
    var statement: SQLStatement = "UPDATE \(table.name) SET "
    statement.append(assignments.joined(separator: ", "))
    statement.append(try rows(of: update.query))
    return BulkStatement(
      text: dialect.finished(statement.text), parameters: parameters, bindings: statement.bindings)
  }

  /// Removes the rows of a query without any delete rule.
  /// - Throws: `.unsupported` for what SQL cannot say.
  package func remove(_ query: FetchQuery) throws -> SQLStatement {
    dialect.finished("DELETE FROM \(schema.table(of: query.layout).name)\(try rows(of: query))")
  }

  var nextVersion: String { "\(schema.rowColumns.version) = \(schema.rowColumns.version) + 1" }

  /// The value of an expression for a row, as one of its columns takes it.
  private func value(_ node: ExpressionNode, as column: SlotColumn, of layout: EntityLayout) throws -> SQLStatement {
    let table = schema.table(of: layout).name
    let scope = QueryScope(of: layout, in: schema, isNamed: false)
    let plain = try text(of: node, as: column, of: layout, in: scope)
    guard scope.isJoined else { return plain }
    let named = QueryScope(of: layout, in: schema)
    let text = try text(of: node, as: column, of: layout, in: named)
    return "(SELECT \(text) FROM \(named.fromClause) WHERE \(named.key) = \(table).\(schema.rowColumns.key))"
  }

  private func text(
    of node: ExpressionNode, as column: SlotColumn, of layout: EntityLayout, in scope: QueryScope
  ) throws -> SQLStatement {
    let operand = try selects.conditions.operand(node, in: scope)
    if case .constant(let value) = operand {
      if value == .null { return "NULL" }
      if let stored = StoredValue(value, comparedWith: column.kind) {
        return selects.conditions.bound(stored, kind: column.kind)
      }
    }
    guard let text = operand.text, operand.family == ValueFamily(column.kind) else {
      throw StoreError(
        .unsupported, "A batch update of '\(layout.name)' cannot set \(column.name): the expression is of another type."
      )
    }
    return column.kind.isWhole ? dialect.cast(text, to: column.kind) : text
  }
}

/// A statement about many rows, whose first placeholders are values of a row.
package struct BulkStatement: Hashable, Sendable {
  package let text: String
  /// The parameters of the first placeholders.
  package let parameters: [RowParameter]
  /// The values of the others.
  package let bindings: [StoredValue]
}

extension SlotKind {
  fileprivate var isWhole: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: true
    default: false
    }
  }
}
