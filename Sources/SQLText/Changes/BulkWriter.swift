import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Writes what batch requests do: a statement for many rows.
package struct BulkWriter: Sendable {
  let schema: StoreSchema
  let dialect: SQLDialect
  private let selects: SelectWriter

  /// - Parameter selects: of the same store.
  package init(selects: SelectWriter, dialect: SQLDialect = .sqlite) {
    self.selects = selects
    self.dialect = dialect
    schema = selects.schema
  }

  /// The WHERE of the rows that a plan selects, for a statement about their table alone; empty for all of its rows.
  /// - Throws: `.unsupported` for what SQL cannot say.
  package func rows(of plan: FetchQuery) throws -> SQLStatement {
    if plan.limit > 0 || plan.offset > 0 { return try keys(of: plan) }
    let scope = QueryScope(of: plan.layout, table: schema.table(of: plan.layout).name, isNamed: false)
    var tests: [SQLStatement] = []
    if let test = selects.entityTest(plan, alias: "") { tests.append(SQLStatement(test)) }
    if let filter = try selects.filter(of: plan, in: scope) { tests.append(filter) }
    // Beside other tables the columns of this one need an alias, which such statements do not have.
    if scope.isJoined { return try keys(of: plan) }
    return tests.isEmpty ? "" : " WHERE \(tests.joined(separator: " AND "))"
  }

  private func keys(of plan: FetchQuery) throws -> SQLStatement {
    var plan = plan
    if plan.limit == 0, plan.offset == 0 { plan.sort = [] }
    return " WHERE Z_PK IN (\(try selects.query("t0.Z_PK", plan, isOrdered: plan.limit > 0 || plan.offset > 0)))"
  }

  /// Changes the rows of an update, whose versions move on.
  /// - Throws: `.unsupported` for what SQL cannot say.
  package func update(_ update: BulkUpdate) throws -> BulkStatement {
    let table = schema.table(of: update.layout)
    var parameters: [RowParameter] = []
    var assignments: [SQLStatement] = ["Z_OPT = Z_OPT + 1"]
    for (slot, column) in table.columns.enumerated() {
      guard let column, !column.isDerived, update.constants[slot >> 6] >> UInt64(slot & 63) & 1 != 0 else { continue }
      assignments.append(SQLStatement("\(column.name) = ?"))
      parameters.append(.slot(slot))
      // A new owner has no place for the row yet.
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
    statement.append(try rows(of: update.plan))
    return BulkStatement(text: statement.text, parameters: parameters, bindings: statement.bindings)
  }

  /// What an expression comes to, for a column of a row of the entity.
  private func value(_ node: ExpressionNode, as column: SlotColumn, of layout: EntityLayout) throws -> SQLStatement {
    let table = schema.table(of: layout).name
    let scope = QueryScope(of: layout, table: table, isNamed: false)
    let plain = try text(of: node, as: column, of: layout, in: scope)
    guard scope.isJoined else { return plain }
    let named = QueryScope(of: layout, table: table)
    let text = try text(of: node, as: column, of: layout, in: named)
    return "(SELECT \(text) FROM \(named.from) WHERE \(named.key) = \(table).Z_PK)"
  }

  private func text(
    of node: ExpressionNode, as column: SlotColumn, of layout: EntityLayout, in scope: QueryScope
  ) throws -> SQLStatement {
    let operand = try selects.conditions.operand(node, in: scope)
    if case .constant(let value) = operand {
      if value == .null { return "NULL" }
      if let stored = StoredValue(value, comparedWith: column.kind) { return "\(bind: stored)" }
    }
    guard let text = operand.text, operand.family == ValueFamily(column.kind) else {
      throw StoreError(
        .unsupported, "A batch update of '\(layout.name)' cannot set \(column.name): the expression is of another type."
      )
    }
    return column.kind.isWhole ? "CAST(\(text) AS INTEGER)" : text
  }
}

/// A statement about many rows, whose first placeholders are values of a row.
package struct BulkStatement: Hashable, Sendable {
  package let text: String
  /// What the first placeholders stand for.
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
