import ManagedModel
import Predicates
import RowStore

/// What key paths mean.
extension ConditionWriter {
  func operand(_ expression: ExpressionNode, in scope: QueryScope) throws -> Operand {
    if let aggregate = try aggregate(expression, in: scope) { return aggregate }
    switch expression {
    case .value(let value): return .constant(value)
    case .evaluatedObject: return .object(key: scope.key, scope.layout)
    case .keyPath(let path): return try operand(at: path[...], of: scope.key, scope.layout, in: scope)
    case .aggregate(let members): return .list(try members.map { try operand($0, in: scope) })
    case .variable(let name): throw unsupported("the variable $\(name) has no value yet.")
    case .path, .function, .conditional, .subquery, .setOperation, .element, .opaque:
      throw unsupported("SQL has nothing for the expression \(expression); filter in memory.")
    }
  }

  /// Follows a path from an object.
  private func operand(
    at path: ArraySlice<String>, of key: String, _ layout: EntityLayout, in scope: QueryScope
  ) throws -> Operand {
    guard let name = path.first else { return .object(key: key, layout) }
    let rest = path.dropFirst()
    if ["self", "SELF", "objectID"].contains(name) { return try operand(at: rest, of: key, layout, in: scope) }
    if let number = layout.toMany(named: name) {
      return try operand(toMany: number, then: rest, of: key, layout, in: scope)
    }
    guard let slot = layout.slot(named: name) else {
      throw unsupported("entity '\(layout.name)' has no property '\(name)' in its store.")
    }
    let table = schema.table(of: layout)
    guard let column = table.columns[slot] else {
      throw unsupported("'\(layout.name).\(name)' is transient, so the store does not have it; filter in memory.")
    }
    guard !column.isExternal else {
      throw unsupported("'\(layout.name).\(name)' may be in a file beside the store; filter in memory.")
    }
    let text = scope.column(column.name, ofObject: key, in: table.name)
    if column.kind == .toOne {
      return try operand(at: rest, of: text, schema.model.layout(number: column.destination), in: scope)
    }
    guard rest.isEmpty else {
      throw unsupported("the attribute '\(layout.name).\(name)' has no '\(rest.joined(separator: "."))'.")
    }
    return .column(text, column.kind)
  }

  private func operand(
    toMany number: Int, then path: ArraySlice<String>, of key: String, _ layout: EntityLayout, in scope: QueryScope
  ) throws -> Operand {
    guard let storage = schema.table(of: layout).toMany[number],
      let destination = layout.toMany[number].relationship.destinationEntity?.layout
    else {
      throw unsupported("the relationship '\(layout.name).\(layout.toMany[number].name)' is transient.")
    }
    if let collector = path.first, collector.hasPrefix("@") {
      let (members, link) = scope.subscope(of: storage, to: destination, owner: key)
      let (value, kind) = try collected(collector, path.dropFirst(), of: members, link)
      return .derived(key == scope.key ? value : unlessNull(key, value), kind)
    }
    if scope.isMembers {
      let member = scope.join(storage, to: destination, owner: key)
      return try operand(at: path, of: member, destination, in: scope)
    }
    let (members, link) = scope.subscope(of: storage, to: destination, owner: key)
    let member = try operand(at: path, of: members.key, destination, in: members)
    return .members(MemberQuery(scope: members, link: link, member: member))
  }

  /// A value from members: `@count`, or `@sum`, `@avg`, `@min`, `@max` of the path that follows.
  private func collected(
    _ collector: String, _ path: ArraySlice<String>, of members: QueryScope, _ link: String
  ) throws -> (SQLStatement, SlotKind) {
    if collector == "@count", path.isEmpty {
      return (SQLStatement("(SELECT COUNT(*) FROM \(members.from) WHERE \(link))"), .integer64)
    }
    guard let function = Self.functions[collector], !path.isEmpty else {
      throw unsupported("'\(collector)' is not one of @count, or @sum, @avg, @min, @max before an attribute.")
    }
    guard case .column(let column, let kind) = try operand(at: path, of: members.key, members.layout, in: members),
      ValueFamily(kind) == .number || function == "MIN" || function == "MAX"
    else {
      throw unsupported("'\(collector).\(path.joined(separator: "."))' is not about numbers.")
    }
    let value = function == "SUM" ? "IFNULL(SUM(\(column)), 0)" : "\(function)(\(column))"
    let comparedKind = ValueFamily(kind) == .number ? SlotKind.double : kind
    return (SQLStatement("(SELECT \(value) FROM \(members.from) WHERE \(link))"), comparedKind)
  }

  private static var functions: [String: String] { ["@sum": "SUM", "@avg": "AVG", "@min": "MIN", "@max": "MAX"] }

  /// What lies behind a nil to-one relationship is nil, not nothing.
  private func unlessNull(_ key: String, _ value: SQLStatement) -> SQLStatement {
    "CASE WHEN \(key) IS NULL THEN NULL ELSE \(value) END"
  }
}
