import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Fetches of values: query -> SQL.
extension SelectWriter {
  /// The values of a query, in the query's order.
  /// - Throws: `.unsupported` for what SQL cannot say, such as a transient property.
  package func values(_ query: AggregateQuery) throws -> (statement: SQLStatement, shape: ValueShape) {
    let scope = QueryScope(of: query.rows.layout, in: schema)
    var list = ValueList()
    scope.gathersRows = true
    for column in query.columns { try add(column, to: &list, in: scope) }
    let having = try query.having.map { try conditions.condition($0, in: scope) }
    let order = try self.order(of: query, columns: list, in: scope)
    scope.gathersRows = false
    let groups = try query.groups.map { try text(of: $0, in: scope) }
    let tests = try self.tests(query.rows, in: scope)

    var statement: SQLStatement = "SELECT \(query.isDistinct ? "DISTINCT " : "")\(list.texts.joined(separator: ", "))"
    statement.append(" FROM \(scope.fromClause)")
    if !tests.isEmpty { statement.append(" WHERE \(tests.joined(separator: " AND "))") }
    if !groups.isEmpty { statement.append(" GROUP BY \(groups.joined(separator: ", "))") }
    if let having { statement.append(" HAVING \(having)") }
    if !order.isEmpty { statement.append(" ORDER BY \(order.joined(separator: ", "))") }
    statement.append(window(query.rows))
    return (dialect.finished(statement), list.shape)
  }

  /// The columns of the result, and what they are.
  private struct ValueList {
    var texts: [SQLStatement] = []
    var shape = ValueShape()

    mutating func add(_ text: SQLStatement, source: (Int32) -> ValueShape.Source) {
      shape.sources.append(source(Int32(texts.count)))
      texts.append(text)
    }
  }

  private func add(_ column: ValueColumn, to list: inout ValueList, in scope: QueryScope) throws {
    if case .keyPath(let path) = column.expression, let location = location(of: path, in: scope) {
      // Only a column knows whether its data may be in files.
      return list.add(SQLStatement(location.text)) {
        ValueShape.Source(column: $0, kind: column.kind ?? location.column.kind, isExternal: location.column.isExternal)
      }
    }
    switch try conditions.operand(column.expression, in: scope) {
    case .constant(let value):
      let stored = ValueFamily(value).flatMap { StoredValue(value, comparedWith: $0.widestKind) } ?? .null
      list.add(conditions.bound(stored, kind: value.slotKind ?? .string)) {
        ValueShape.Source(column: $0, kind: column.kind ?? value.ownKind)
      }
    case .column(let text, let kind):
      list.add(SQLStatement(text)) { ValueShape.Source(column: $0, kind: column.kind ?? kind) }
    case .derived(let statement, let kind):
      // A number that is computed may be an integer or not.
      list.add(statement) {
        ValueShape.Source(column: $0, kind: column.kind ?? (ValueFamily(kind) == .number ? nil : kind))
      }
    case .object(let key, let layout): addObject(key, entity: layout, to: &list, in: scope)
    case .list, .members, .derivedObject:
      throw conditions.unsupported("the column \(column.expression) is not one value.")
    }
  }

  /// The attribute at the end of a path of to-one relationships; nil for other paths.
  private func location(of path: [String], in scope: QueryScope) -> (text: String, column: SlotColumn)? {
    guard let name = path.last, case .object(let key, let layout)? = try? owner(of: path, in: scope),
      let slot = layout.slot(named: name), layout.slots[slot].kind != .toOne
    else { return nil }
    guard let column = schema.table(of: layout).columns[slot] else { return nil }
    return (scope.column(column.name, ofObject: key, entity: layout), column)
  }

  private func owner(of path: [String], in scope: QueryScope) throws -> SQLOperand {
    try conditions.operand(path.count == 1 ? .evaluatedObject : .keyPath(path.dropLast()), in: scope)
  }

  /// An object is its key, and its Z_ENT if it may be of several entities.
  private func addObject(_ key: String, entity layout: EntityLayout, to list: inout ValueList, in scope: QueryScope) {
    let entity =
      layout.hasDescendants ? scope.column(schema.rowColumns.entity, ofObject: key, entity: layout) : nil
    list.add(SQLStatement(key)) {
      ValueShape.Source(
        column: $0, kind: .toOne, entityColumn: entity == nil ? -1 : $0 + 1, destination: layout.number)
    }
    if let entity { list.texts.append(SQLStatement(entity)) }
  }

  private func text(of expression: ExpressionNode, in scope: QueryScope) throws -> SQLStatement {
    let operand = try conditions.operand(expression, in: scope)
    guard let text = operand.text else { throw conditions.unsupported("\(expression) is not one value of a row.") }
    return text
  }

  private func order(of query: AggregateQuery, columns list: ValueList, in scope: QueryScope) throws -> [SQLStatement] {
    var order = try query.sort.map { sort -> SQLStatement in
      switch sort {
      case .column(let number, let isAscending):
        let column: SQLStatement = "\(Int(list.shape.sources[number].column) + 1)"
        return try conditions.orderTerm(column, by: .binary, isAscending: isAscending)
      case .key(let key):
        let text = try text(of: .keyPath(key.keyPath), in: scope)
        return try conditions.orderTerm(text, by: key.comparison, isAscending: key.isAscending)
      }
    }
    // Groups are ordered by their values, and rows by their keys.
    if query.gathersRows {
      scope.gathersRows = false
      order += try query.groups.map {
        try conditions.orderTerm(text(of: $0, in: scope), by: .binary, isAscending: true)
      }
      scope.gathersRows = true
    } else if !query.isDistinct {
      order.append(SQLStatement(query.reversesTies ? scope.key + " DESC" : scope.key))
    }
    return order
  }

  func window(_ query: FetchQuery) -> SQLStatement {
    let bindings = query.windowBindings(dialect)
    return bindings.isEmpty ? "" : SQLStatement(bindings.count == 1 ? " LIMIT ?" : " LIMIT ? OFFSET ?", bindings)
  }
}

extension PredicateValue {
  /// The kind of a constant column for which none is given.
  fileprivate var ownKind: SlotKind? {
    switch self {
    case .bool: .boolean
    case .date: .date
    case .decimal: .decimal
    case .uuid: .uuid
    case .url: .uri
    default: nil
    }
  }
}
