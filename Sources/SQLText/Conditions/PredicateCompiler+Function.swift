import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Functions, by rules (13) to (18) of the evaluation. The kinds of arguments are known here, so an argument of the
/// wrong kind makes the whole expression NULL.
extension PredicateCompiler {
  func result(
    of function: ExpressionFunction, arguments: [ExpressionNode], whole: ExpressionNode, in scope: QueryScope
  ) throws -> SQLOperand {
    let operands = try arguments.map { try operand($0, in: scope) }
    for case .column(_, .transformable) in operands {
      throw unsupported("'\(whole)' reads the value of a transformable attribute; filter in memory.")
    }
    if function.isAggregate { return try aggregate(function, of: operands, whole: whole) }
    switch function {
    case .noindex: return unindexed(operands[0])
    case .now: throw unsupported("now() has no value yet.")
    case .random: return .derived(SQLStatement(dialect.random), .integer64)
    default: break
    }
    for operand in operands where operand.isCollection {
      throw unsupported("'\(whole)' has an argument with many values.")
    }
    if let values = constants(operands), function != .randomn {
      return .constant(ExpressionArithmetic.result(of: function, values))
    }
    if operands.contains(where: { if case .constant(.null) = $0 { true } else { false } }) { return .constant(.null) }
    switch function {
    case .add, .subtract, .multiply, .divide: return try arithmetic(function, operands[0], operands[1])
    case .cast: return try cast(operands[0], toClass: operands[1], whole: whole)
    default: return try bitOperation(function, on: operands) ?? called(function, of: operands)
    }
  }

  /// The values of operands that are all constants; nil if any is not.
  private func constants(_ operands: [SQLOperand]) -> [PredicateValue]? {
    var values: [PredicateValue] = []
    for case .constant(let value) in operands { values.append(value) }
    return values.count == operands.count ? values : nil
  }

  private func unindexed(_ operand: SQLOperand) -> SQLOperand {
    switch operand {
    case .column(let text, let kind): .derived(SQLStatement(dialect.unindexed(text)), kind)
    case .object(let key, let layout): .derivedObject(SQLStatement(dialect.unindexed(key)), layout)
    default: operand
    }
  }

  /// Engines calculate with decimal numbers as real ones.
  private func arithmetic(_ function: ExpressionFunction, _ left: SQLOperand, _ right: SQLOperand) throws -> SQLOperand
  {
    guard let kind = resultKind(of: function, left: left.family, right: right.family), let first = realText(left),
      let second = realText(right)
    else { return .constant(.null) }
    let value = dialect.operation(function, on: [first, second])
    return .derived(try supported(value, what: "function \(function.rawValue)"), kind)
  }

  /// Dates are seconds: a date plus a number is a date, the difference of two dates a number.
  private func resultKind(
    of function: ExpressionFunction, left: ValueFamily?, right: ValueFamily?
  ) -> SlotKind? {
    switch (left, right, function) {
    case (.number, .number, _): .double
    case (.date, .number, .add), (.date, .number, .subtract), (.number, .date, .add): .date
    case (.date, .date, .subtract): .double
    default: nil
    }
  }

  /// An operation on bits by the engine's operator; nil for a function without one, and for decimal numbers, which may
  /// have more digits than a 64-bit number.
  private func bitOperation(_ function: ExpressionFunction, on operands: [SQLOperand]) -> SQLOperand? {
    let texts = operands.compactMap { operand in
      operand.family == .number && operand.slotKind != .decimal ? realText(operand) : nil
    }
    guard !texts.isEmpty, texts.count == operands.count else { return nil }
    return dialect.operation(function, on: texts).map { .derived($0, .double) }
  }

  private func realText(_ operand: SQLOperand) -> SQLStatement? {
    if case .constant(let value) = operand {
      guard case .decimal(let decimal) = value else {
        return operand.slotKind.flatMap { kind in
          StoredValue(value, comparedWith: kind).map { bound($0, kind: kind) }
        }
      }
      return bound(.real(NSDecimalNumber(decimal: decimal).doubleValue), kind: .double)
    }
    guard let text = operand.text else { return nil }
    return operand.slotKind == .decimal ? dialect.cast(text, to: .double) : text
  }

  private func cast(_ operand: SQLOperand, toClass type: SQLOperand, whole: ExpressionNode) throws -> SQLOperand {
    guard case .constant(let name) = type else { throw unsupported("the class in '\(whole)' is not a constant.") }
    guard let type = name.text.flatMap(CastType.init), let kind = operand.slotKind else { return .constant(.null) }
    if type == .decimal, !kind.isExactDecimal {
      throw unsupported("'\(whole)' may be a decimal number with more digits than SQL can hold.")
    }
    let result: SlotKind =
      switch type {
      case .date: .date
      case .number: kind == .decimal ? .decimal : .double
      case .decimal: .decimal
      case .string: .string
      case .uuid: .uuid
      case .url: .uri
      case .data: .data
      }
    let value = TypedStatement(try valueText(operand, kind: kind, whole: whole), kind: kind)
    return .derived(try supported(dialect.cast(value, toClass: type), what: "CAST to \(type.rawValue)"), result)
  }

  private func called(_ function: ExpressionFunction, of operands: [SQLOperand]) throws -> SQLOperand {
    let family = function.argumentFamily
    guard operands.allSatisfy({ $0.family == family }) else { return .constant(.null) }
    let arguments = try operands.map { operand in
      let kind = operand.slotKind ?? .double
      return TypedStatement(try valueText(operand, kind: kind, whole: .value(.null)), kind: kind)
    }
    let value = dialect.call(function, on: arguments)
    return .derived(
      try supported(value, what: "function \(function.rawValue)"), function.givesText ? .string : .double)
  }
}

/// Functions of a collection's members.
extension PredicateCompiler {
  private func aggregate(
    _ function: ExpressionFunction, of operands: [SQLOperand], whole: ExpressionNode
  ) throws -> SQLOperand {
    if function == .mode { throw unsupported("mode: gives a list.") }
    if operands.count == 1, case .members(let members) = operands[0] {
      if function == .count { return try countOfValues(of: members) }
      guard members.member.family != .object else { throw unsupported("'\(whole)' has objects as arguments.") }
      return try collected(function, of: members) ?? .constant(ExpressionArithmetic.result(of: function, members: []))
    }
    var values: [SQLOperand] = []
    for operand in operands {
      if case .members = operand { throw unsupported("'\(whole)' mixes members with other values.") }
      values += members(of: operand) ?? [operand]
    }
    if let constants = constants(values) {
      return .constant(ExpressionArithmetic.result(of: function, members: constants))
    }
    return try listed(function, of: values, whole: whole)
  }

  /// Counts the members that are not nil.
  private func countOfValues(of members: MemberQuery) throws -> SQLOperand {
    guard let text = members.member.text else { return count(of: members) }
    return .derived("(SELECT COUNT(\(text)) FROM \(members.scope.fromClause) WHERE \(members.link))", .integer64)
  }

  /// A function of several values of one row.
  private func listed(
    _ function: ExpressionFunction, of values: [SQLOperand], whole: ExpressionNode
  ) throws -> SQLOperand {
    let families = Set(values.compactMap(\.family))
    guard families.count == 1, let family = families.first, family != .object else {
      throw unsupported("'\(whole)' mixes values of different kinds.")
    }
    let members = try values.map { operand in
      let kind = operand.slotKind ?? family.widestKind
      return TypedStatement(try valueText(operand, kind: kind, whole: whole), kind: kind)
    }
    let keepsKind = function == .min || function == .max
    let isDecimal = values.contains { $0.slotKind == .decimal }
    if isDecimal, keepsKind || function == .sum, !values.allSatisfy({ $0.slotKind == .decimal }) {
      throw unsupported("'\(whole)' mixes decimal and other numbers.")
    }
    let kind: SlotKind =
      if isDecimal, keepsKind || function == .sum { .decimal } else { keepsKind ? family.widestKind : .double }
    let value = dialect.callOverList(function, on: members)
    return .derived(try supported(value, what: "function \(function.rawValue) of a list"), kind)
  }
}

extension SQLOperand {
  fileprivate var isCollection: Bool {
    switch self {
    case .members, .list, .constant(.list): true
    default: false
    }
  }
}

extension SlotKind {
  /// Whether SQL holds the values as exactly as a decimal number would.
  fileprivate var isExactDecimal: Bool {
    switch self {
    case .integer16, .integer32, .boolean, .decimal: true
    // SQL compares large integers with real numbers exactly; as decimals they would be compared as real numbers.
    case .integer64: false
    default: ValueFamily(self) != .number && ValueFamily(self) != .text
    }
  }
}

extension ExpressionFunction {
  /// The family that the arguments of a scalar function must have.
  fileprivate var argumentFamily: ValueFamily {
    switch self {
    case .uppercase, .lowercase, .canonical, .length: .text
    default: .number
    }
  }

  fileprivate var givesText: Bool { self == .uppercase || self == .lowercase || self == .canonical }
}
