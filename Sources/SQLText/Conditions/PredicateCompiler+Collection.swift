import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Members of to-many relationships: subqueries, aggregates, single elements.
extension PredicateCompiler {
  func subquery(
    _ collection: ExpressionNode, variable name: String, where predicate: PredicateNode, in scope: QueryScope
  ) throws -> SQLOperand {
    let operand = try operand(collection, in: scope)
    if case .constant(.null) = operand { return .constant(.list([])) }
    guard case .members(var members) = operand, case .object(let key, let layout) = members.member else {
      throw unsupported("SUBQUERY needs a to-many key path to objects, but '\(collection)' is not one.")
    }
    let outer = scope.variables[name]
    defer { scope.variables[name] = outer }
    scope.variables[name] = Variable(scope: members.scope, key: key, layout: layout)
    // A member found over a to-one relationship may be nil.
    if key != members.scope.key { members.link = "\(members.link) AND \(key) IS NOT NULL" }
    members.link = "\(members.link) AND \(try condition(predicate, in: scope))"
    return .members(members)
  }

  /// A collection operator: `@count`, or `@sum`, `@avg`, `@min`, `@max` of the path that follows.
  func collected(_ collector: String, at path: ArraySlice<String>, of members: MemberQuery) throws -> SQLOperand {
    if collector == "@count", path.isEmpty { return count(of: members) }
    guard let function = Self.functions[collector], !path.isEmpty,
      case .object(let key, let layout) = members.member
    else {
      throw unsupported("'\(collector)' is not one of @count, or @sum, @avg, @min, @max before an attribute.")
    }
    var values = members
    values.member = try operand(at: path, of: key, layout, in: members.scope, isMember: true)
    guard let value = try collected(function, of: values) else {
      throw unsupported("'\(collector).\(path.joined(separator: "."))' is not numeric.")
    }
    return value
  }

  func count(of members: MemberQuery) -> SQLOperand {
    .derived("(SELECT COUNT(*) FROM \(members.scope.fromClause) WHERE \(members.link))", .integer64)
  }

  /// An aggregate of the members' values; nil if it has no meaning for them.
  func collected(_ function: ExpressionFunction, of members: MemberQuery) throws -> SQLOperand? {
    guard let (value, kind) = try gathered(function, of: members.member) else { return nil }
    return .derived("(SELECT \(value) FROM \(members.scope.fromClause) WHERE \(members.link))", kind)
  }

  /// An aggregate over the rows of a query; nil if it has no meaning for the values.
  func gathered(_ function: ExpressionFunction, of operand: SQLOperand) throws -> (SQLStatement, SlotKind)? {
    let kind: SlotKind
    switch operand {
    case .column(_, let columnKind), .derived(_, let columnKind): kind = columnKind
    case .object where function == .min || function == .max: kind = .toOne
    default: return nil
    }
    guard let text = operand.text, let result = Self.kind(of: function, overRowsOf: kind) else { return nil }
    let value = dialect.aggregate(function, of: TypedStatement(text, kind: kind))
    return (try supported(value, what: "function \(function.rawValue) over rows"), result)
  }

  /// The kind of an aggregate's result; nil if it has no meaning for the values.
  private static func kind(of function: ExpressionFunction, overRowsOf kind: SlotKind) -> SlotKind? {
    switch function {
    case .min, .max: return kind
    case .sum, .average, .median, .mode, .stddev: break
    default: return nil
    }
    switch ValueFamily(kind) {
    case .number:
      return function != .sum ? .double : kind.isSmallInteger ? .integer64 : kind == .decimal ? .decimal : .double
    case .text where function == .sum || function == .average: return .double
    default: return nil
    }
  }

  private static var functions: [String: ExpressionFunction] {
    ["@sum": .sum, "@avg": .average, "@min": .min, "@max": .max]
  }

  /// `list[FIRST]`, `list[LAST]`, `list[2]`: a member of an ordered relationship, NULL if there are too few;
  /// `list[SIZE]`.
  func listElement(of list: ExpressionNode, at index: ElementIndex, in scope: QueryScope) throws -> SQLOperand {
    let operand = try operand(list, in: scope)
    if case .object(let key, let layout) = operand, case .at(.value(.string(let name))) = index {
      return try self.operand(at: [name], of: key, layout, in: scope)
    }
    guard case .members(let members) = operand else {
      throw unsupported("'\(list)[\(index)]' is not a member of a relationship.")
    }
    if case .size = index { return count(of: members) }
    guard let position = members.position, case .object(let key, let layout) = members.member else {
      throw unsupported("'\(list)' has no order, so it has no '[\(index)]'.")
    }
    let number: Int64
    var direction = ""
    switch index {
    case .first: number = 0
    case .last: (number, direction) = (0, " DESC")
    case .at(.value(.integer(let given))) where given >= 0: number = given
    case .at, .size: throw unsupported("the index '\(index)' is not a whole number.")
    }
    // Members without a position come last.
    let order = "\(position) IS NULL\(direction), \(position)\(direction), \(key)\(direction)"
    let text: SQLStatement = """
      (SELECT \(key) FROM \(members.scope.fromClause) WHERE \(members.link) ORDER BY \(order) \
      LIMIT 1 OFFSET \(String(number)))
      """
    return text.bindings.isEmpty ? .object(key: text.text, layout) : .derivedObject(text, layout)
  }
}

extension SlotKind {
  /// Whether the sum of any realistic number of values fits into 64 bits.
  package var isSmallInteger: Bool { self == .integer16 || self == .integer32 || self == .boolean }
}
