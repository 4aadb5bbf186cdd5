import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Fetches of values: PLAN -> SQL.
extension SelectWriter {
  /// The values of a plan, in its order.
  /// - Throws: `.unsupported` for what SQL cannot say, such as a transient property.
  package func values(_ plan: AggregateQuery) throws -> (statement: SQLStatement, shape: ValueShape) {
    let scope = QueryScope(of: plan.rows.layout, table: schema.table(of: plan.rows.layout).name)
    var list = ValueList()
    scope.gathersRows = true
    for column in plan.columns { try add(column, to: &list, in: scope) }
    let having = try plan.having.map { try conditions.condition($0, in: scope) }
    let order = try self.order(of: plan, list, in: scope)
    scope.gathersRows = false
    let groups = try plan.groups.map { try text(of: $0, in: scope) }
    let tests = try self.tests(plan.rows, in: scope)

    var statement: SQLStatement = "SELECT \(plan.isDistinct ? "DISTINCT " : "")\(list.texts.joined(separator: ", "))"
    statement.append(" FROM \(scope.from)")
    if !tests.isEmpty { statement.append(" WHERE \(tests.joined(separator: " AND "))") }
    if !groups.isEmpty { statement.append(" GROUP BY \(groups.joined(separator: ", "))") }
    if let having { statement.append(" HAVING \(having)") }
    if !order.isEmpty { statement.append(" ORDER BY \(order.joined(separator: ", "))") }
    statement.append(window(plan.rows))
    return (statement, list.shape)
  }

  /// The columns of the result, and what they are.
  private struct ValueList {
    var texts: [SQLStatement] = []
    var shape = ValueShape()

    mutating func add(_ text: SQLStatement, _ source: (Int32) -> ValueShape.Source) {
      shape.sources.append(source(Int32(texts.count)))
      texts.append(text)
    }
  }

  private func add(_ column: ValueColumn, to list: inout ValueList, in scope: QueryScope) throws {
    if case .keyPath(let path) = column.expression, let place = place(of: path, in: scope) {
      // Large data may be in files, which only the shape can tell.
      return list.add(SQLStatement(place.text)) {
        ValueShape.Source(column: $0, kind: column.kind ?? place.column.kind, isExternal: place.column.isExternal)
      }
    }
    switch try conditions.operand(column.expression, in: scope) {
    case .constant(let value):
      let stored = ValueFamily(value).flatMap { StoredValue(value, comparedWith: $0.widestKind) } ?? .null
      list.add("\(bind: stored)") { ValueShape.Source(column: $0, kind: column.kind ?? value.ownKind) }
    case .column(let text, let kind):
      list.add(SQLStatement(text)) { ValueShape.Source(column: $0, kind: column.kind ?? kind) }
    case .derived(let statement, let kind):
      // What is worked out from numbers may be whole or not.
      list.add(statement) {
        ValueShape.Source(column: $0, kind: column.kind ?? (ValueFamily(kind) == .number ? nil : kind))
      }
    case .object(let key, let layout): addObject(key, layout, to: &list, in: scope)
    case .list, .members, .derivedObject:
      throw conditions.unsupported("the column \(column.expression) is not one value.")
    }
  }

  /// The attribute at the end of a path of to-one relationships; nil if the path is something else.
  private func place(of path: [String], in scope: QueryScope) -> (text: String, column: SlotColumn)? {
    guard let name = path.last, case .object(let key, let layout)? = try? owner(of: path, in: scope),
      let slot = layout.slot(named: name), layout.slots[slot].kind != .toOne
    else { return nil }
    let table = schema.table(of: layout)
    guard let column = table.columns[slot] else { return nil }
    return (scope.column(column.name, ofObject: key, in: table.name), column)
  }

  private func owner(of path: [String], in scope: QueryScope) throws -> Operand {
    try conditions.operand(path.count == 1 ? .evaluatedObject : .keyPath(path.dropLast()), in: scope)
  }

  /// An object is its key, and its entity where the key alone does not say that.
  private func addObject(_ key: String, _ layout: EntityLayout, to list: inout ValueList, in scope: QueryScope) {
    let entity =
      layout.entity.subentities.isEmpty
      ? nil : scope.column("Z_ENT", ofObject: key, in: schema.table(of: layout).name)
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

  private func order(of plan: AggregateQuery, _ list: ValueList, in scope: QueryScope) throws -> [SQLStatement] {
    var order = try plan.sort.map { sort -> SQLStatement in
      let direction = sort.isAscending ? "" : " DESC"
      switch sort {
      case .column(let number, _): return "\(Int(list.shape.sources[number].column) + 1)\(direction)"
      case .key(let key):
        let collation = conditions.dialect.collation(key.comparison).map { " COLLATE \($0)" } ?? ""
        return "\(try text(of: .keyPath(key.keyPath), in: scope))\(collation)\(direction)"
      }
    }
    // Groups come in the order of their values, and rows in that of their keys.
    if plan.gathersRows {
      scope.gathersRows = false
      order += try plan.groups.map { try text(of: $0, in: scope) }
      scope.gathersRows = true
    } else if !plan.isDistinct {
      order.append(SQLStatement(plan.reversesTies ? scope.key + " DESC" : scope.key))
    }
    return order
  }

  func window(_ plan: FetchQuery) -> SQLStatement {
    let bindings = plan.windowBindings
    return bindings.isEmpty ? "" : SQLStatement(bindings.count == 1 ? " LIMIT ?" : " LIMIT ? OFFSET ?", bindings)
  }
}

/// Functions over the rows of a query.
extension PredicateCompiler {
  /// An expression as a function over rows, in a scope that gathers them; nil if it is none.
  func aggregate(_ expression: ExpressionNode, in scope: QueryScope) throws -> Operand? {
    guard scope.gathersRows, let aggregate = expression.aggregate(over: scope.layout) else { return nil }
    guard let argument = aggregate.argument else { return .derived("COUNT(*)", .integer64) }
    scope.gathersRows = false
    defer { scope.gathersRows = true }
    let operand = try operand(argument, in: scope)
    guard let text = operand.text else { throw unsupported("\(argument) is not one value of a row.") }
    let function: ExpressionFunction
    switch aggregate.function {
    case .count: return .derived("COUNT(\(text))", .integer64)
    case .min: function = .min
    case .max: function = .max
    case .sum: function = .sum
    case .average: function = .average
    }
    guard let (value, kind) = gathered(function, operand) else {
      throw unsupported("\(argument) is not about numbers.")
    }
    return .derived(value, kind)
  }
}

extension PredicateValue {
  /// What a constant is where nobody says what it is to become.
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
