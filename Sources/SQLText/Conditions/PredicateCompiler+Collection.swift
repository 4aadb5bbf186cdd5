import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Members of to-many relationships: subqueries, what is worked out from many values, single elements.
extension PredicateCompiler {
  func subquery(
    _ collection: ExpressionNode, _ name: String, _ predicate: PredicateNode, in scope: QueryScope
  ) throws -> Operand {
    let operand = try operand(collection, in: scope)
    if case .constant(.null) = operand { return .constant(.list([])) }
    guard case .members(var members) = operand, case .object(let key, let layout) = members.member else {
      throw unsupported("SUBQUERY is about '\(collection)', which is no to-many key path to objects.")
    }
    let outer = scope.variables[name]
    defer { scope.variables[name] = outer }
    scope.variables[name] = Variable(scope: members.scope, key: key, layout: layout)
    // A member found over a to-one relationship may be nil.
    if key != members.scope.key { members.link = "\(members.link) AND \(key) IS NOT NULL" }
    members.link = "\(members.link) AND \(try condition(predicate, in: scope))"
    return .members(members)
  }

  /// A value from members: `@count`, or `@sum`, `@avg`, `@min`, `@max` of the path that follows.
  func collected(_ collector: String, _ path: ArraySlice<String>, of members: MemberQuery) throws -> Operand {
    if collector == "@count", path.isEmpty { return count(of: members) }
    guard let function = Self.functions[collector], !path.isEmpty,
      case .object(let key, let layout) = members.member
    else {
      throw unsupported("'\(collector)' is not one of @count, or @sum, @avg, @min, @max before an attribute.")
    }
    var values = members
    values.member = try operand(at: path, of: key, layout, in: members.scope, isMember: true)
    guard let value = try collected(function, of: values) else {
      throw unsupported("'\(collector).\(path.joined(separator: "."))' is not about numbers.")
    }
    return value
  }

  func count(of members: MemberQuery) -> Operand {
    .derived("(SELECT COUNT(*) FROM \(members.scope.from) WHERE \(members.link))", .integer64)
  }

  /// A value from the values of members; nil if the function has no meaning for them.
  func collected(_ function: ExpressionFunction, of members: MemberQuery) throws -> Operand? {
    guard let (value, kind) = gathered(function, members.member) else { return nil }
    return .derived("(SELECT \(value) FROM \(members.scope.from) WHERE \(members.link))", kind)
  }

  /// A function over the rows of a query; nil if it has no meaning for the values. SQLite's own functions serve where
  /// they cannot overflow and do not depend on the order of the rows.
  func gathered(_ function: ExpressionFunction, _ operand: Operand) -> (SQLStatement, SlotKind)? {
    let kind: SlotKind
    switch operand {
    case .column(_, let columnKind), .derived(_, let columnKind): kind = columnKind
    case .object where function == .min || function == .max: kind = .toOne
    default: return nil
    }
    guard let text = operand.text else { return nil }
    switch function {
    case .min: return ("MIN(\(text))", kind)
    case .max: return ("MAX(\(text))", kind)
    default: break
    }
    switch ValueFamily(kind) {
    case .number: break
    case .text where function == .sum || function == .average: break
    default: return nil
    }
    let isSmall = kind == .integer16 || kind == .integer32 || kind == .boolean
    switch function {
    case .sum where isSmall: return ("IFNULL(SUM(\(text)), 0)", .integer64)
    case .average where isSmall: return ("AVG(\(text))", .double)
    case .sum, .average, .median, .mode, .stddev:
      let result: SlotKind = function == .sum && kind == .decimal ? .decimal : .double
      return ("\(SQLDialect.functionName(function))(\(text), \(Int(kind.rawValue)))", result)
    default: return nil
    }
  }

  private static var functions: [String: ExpressionFunction] {
    ["@sum": .sum, "@avg": .average, "@min": .min, "@max": .max]
  }

  /// `list[FIRST]` and its kin: one of the members of an ordered relationship; nil if there are not as many.
  func element(of list: ExpressionNode, _ index: ElementIndex, in scope: QueryScope) throws -> Operand {
    let operand = try operand(list, in: scope)
    if case .object(let key, let layout) = operand, case .at(.value(.string(let name))) = index {
      return try self.operand(at: [name], of: key, layout, in: scope)
    }
    guard case .members(let members) = operand else {
      throw unsupported("'\(list)[\(index)]' is no member of a relationship.")
    }
    if case .size = index { return count(of: members) }
    guard let place = members.place, case .object(let key, let layout) = members.member else {
      throw unsupported("'\(list)' has no order, so it has no '[\(index)]'.")
    }
    let number: Int64
    var direction = ""
    switch index {
    case .first: number = 0
    case .last: (number, direction) = (0, " DESC")
    case .at(.value(.integer(let given))) where given >= 0: number = given
    case .at, .size: throw unsupported("the index '\(index)' is no whole number.")
    }
    // Members that nobody has placed yet come last.
    let order = "\(place) IS NULL\(direction), \(place)\(direction), \(key)\(direction)"
    let text: SQLStatement = """
      (SELECT \(key) FROM \(members.scope.from) WHERE \(members.link) ORDER BY \(order) \
      LIMIT 1 OFFSET \(String(number)))
      """
    return text.bindings.isEmpty ? .object(key: text.text, layout) : .derivedObject(text, layout)
  }
}
