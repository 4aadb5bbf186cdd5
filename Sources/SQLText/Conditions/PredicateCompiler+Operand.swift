import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Expressions as operands.
extension PredicateCompiler {
  /// - Parameter forPresence: whether only the presence of a value matters.
  func operand(_ expression: ExpressionNode, in scope: QueryScope, forPresence: Bool = false) throws -> SQLOperand {
    if let aggregate = try aggregate(expression, in: scope) { return aggregate }
    switch expression {
    case .value(let value): return .constant(value)
    case .evaluatedObject: return .object(key: scope.key, scope.layout)
    case .keyPath(let path):
      return try operand(at: path[...], of: scope.key, scope.layout, in: scope, forPresence: forPresence)
    case .aggregate(let members): return .list(try members.map { try operand($0, in: scope) })
    case .variable(let name): return try variable(name, in: scope)
    case .path(of: let start, let path):
      return try operand(at: path[...], behind: start, in: scope, forPresence: forPresence)
    case .subquery(let collection, let variable, let predicate):
      return try subquery(collection, variable: variable, where: predicate, in: scope)
    case .element(of: let list, let index): return try listElement(of: list, at: index, in: scope)
    case .conditional(let condition, let first, let second):
      return try conditional(condition, then: first, else: second, whole: expression, in: scope)
    case .function(let function, let arguments):
      return try result(of: function, arguments: arguments, whole: expression, in: scope)
    case .setOperation:
      throw unsupported("'\(expression)' is supported only on the right side of a plain IN.")
    case .opaque(let opaque): throw unsupported("'\(opaque.text)' can be evaluated only in memory.")
    }
  }

  private func variable(_ name: String, in scope: QueryScope) throws -> SQLOperand {
    guard let variable = scope.variables[name] else { throw unsupported("the variable $\(name) has no value yet.") }
    return .object(key: variable.key, variable.layout)
  }

  private func operand(
    at path: ArraySlice<String>, behind start: ExpressionNode, in scope: QueryScope, forPresence: Bool
  ) throws -> SQLOperand {
    if case .variable(let name) = start, let variable = scope.variables[name] {
      return try operand(at: path, of: variable.key, variable.layout, in: variable.scope, forPresence: forPresence)
    }
    switch try operand(start, in: scope) {
    case .object(let key, let layout):
      guard !layout.leadsToMany(path) else {
        throw unsupported("a to-many path continues after '\(start)', which may be nil.")
      }
      return try operand(at: path, of: key, layout, in: scope, forPresence: forPresence)
    case .members(let members): return try operand(at: path, of: members, forPresence: forPresence)
    case .constant(.null): return .constant(.null)
    default: throw unsupported("a path continues after '\(start)'.")
    }
  }

  /// The members' values at a path, or a collection operator over them.
  private func operand(
    at path: ArraySlice<String>, of members: MemberQuery, forPresence: Bool
  ) throws -> SQLOperand {
    guard case .object(let key, let layout) = members.member else {
      throw unsupported("values other than objects have no '\(path.joined(separator: "."))'.")
    }
    if let collector = path.first, collector.hasPrefix("@") {
      return try collected(collector, at: path.dropFirst(), of: members)
    }
    var inner = members
    inner.position = nil
    inner.member = try operand(
      at: path, of: key, layout, in: members.scope, isMember: true, forPresence: forPresence)
    return .members(inner)
  }

  /// Follows a path from an object.
  /// - Parameter isMember: whether the object is a row of the scope, so that the members of all rows are one list.
  func operand(
    at path: ArraySlice<String>, of key: String, _ layout: EntityLayout, in scope: QueryScope, isMember: Bool = false,
    forPresence: Bool = false
  ) throws -> SQLOperand {
    guard let name = path.first else { return .object(key: key, layout) }
    let rest = path.dropFirst()
    if ["self", "SELF", "objectID"].contains(name) {
      return try operand(at: rest, of: key, layout, in: scope, isMember: isMember, forPresence: forPresence)
    }
    if let number = layout.toMany(named: name) {
      return try operand(
        toMany: number, then: rest, of: key, layout, in: scope, isMember: isMember, forPresence: forPresence)
    }
    guard let slot = layout.slot(named: name) else {
      if name == "entity", rest.isEmpty || Array(rest) == ["name"] { return entityName(of: key, layout, in: scope) }
      guard layout.composite(named: name) == nil else {
        throw unsupported("the composite attribute '\(layout.name).\(name)' has no column; name one of its elements.")
      }
      throw StoreError(
        .unsupported, "The entity '\(layout.name)' has no property '\(name)', so a fetch cannot use it.")
    }
    guard let column = schema.table(of: layout).columns[slot] else {
      throw unsupported("'\(layout.name).\(name)' is transient, so it is not in the store; filter in memory.")
    }
    guard forPresence || !column.isExternal else {
      throw unsupported(
        "'\(layout.name).\(name)' may be in a file next to the store: test whether it is nil, or filter in memory.")
    }
    let text = scope.column(column.name, ofObject: key, entity: layout)
    if column.kind == .toOne {
      let destination = schema.model.layout(number: column.destination)
      return try operand(at: rest, of: text, destination, in: scope, isMember: isMember, forPresence: forPresence)
    }
    guard rest.isEmpty else {
      throw unsupported("the attribute '\(layout.name).\(name)' has no '\(rest.joined(separator: "."))'.")
    }
    return .column(text, column.kind)
  }

  /// The name of an object's entity, which also represents the entity itself.
  private func entityName(of key: String, _ layout: EntityLayout, in scope: QueryScope) -> SQLOperand {
    let column = scope.column(schema.rowColumns.entity, ofObject: key, entity: layout)
    let names = layout.subtreeNumbers.map { number in
      "WHEN \(schema.storedNumber(of: number)) THEN \(dialect.literal(.text(schema.model.layout(number: number).name)))"
    }
    return .derived(SQLStatement("CASE \(column) \(names.joined(separator: " ")) END"), .string)
  }

  private func operand(
    toMany number: Int, then path: ArraySlice<String>, of key: String, _ layout: EntityLayout, in scope: QueryScope,
    isMember: Bool, forPresence: Bool
  ) throws -> SQLOperand {
    guard let storage = schema.table(of: layout).toMany[number] else {
      throw unsupported("the relationship '\(layout.name).\(layout.toMany[number].name)' is transient.")
    }
    let destination = layout.toMany[number].relationship.destination
    if let collector = path.first, collector.hasPrefix("@") {
      let members = scope.members(of: storage, to: destination, owner: key)
      let value = try collected(collector, at: path.dropFirst(), of: members)
      return key == scope.key ? value : unlessNull(key, then: value)
    }
    if isMember {
      let member = scope.join(storage, to: destination, owner: key)
      return try operand(at: path, of: member, destination, in: scope, isMember: true, forPresence: forPresence)
    }
    let members = scope.members(of: storage, to: destination, owner: key)
    return path.isEmpty ? .members(members) : try operand(at: path, of: members, forPresence: forPresence)
  }

  /// Behind a nil to-one relationship every value is nil, even a count.
  private func unlessNull(_ key: String, then value: SQLOperand) -> SQLOperand {
    guard case .derived(let statement, let kind) = value else { return value }
    return .derived("CASE WHEN \(key) IS NULL THEN NULL ELSE \(statement) END", kind)
  }
}
