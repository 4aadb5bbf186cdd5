import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Functions, by rules (13) to (18) of the evaluation. The kinds of their arguments are known while the text is written,
/// so an argument of a wrong kind makes the whole expression nil here.
extension PredicateCompiler {
  func function(
    _ function: ExpressionFunction, _ arguments: [ExpressionNode], _ whole: ExpressionNode, in scope: QueryScope
  ) throws -> Operand {
    let operands = try arguments.map { try operand($0, in: scope) }
    for case .column(_, .transformable) in operands {
      throw unsupported("'\(whole)' looks into a transformable attribute; filter in memory.")
    }
    if function.isAggregate { return try aggregate(function, operands, whole) }
    switch function {
    case .noindex: return unindexed(operands[0])
    case .now: throw unsupported("now() has no instant yet.")
    case .random: return .derived("(random() & 2147483647)", .integer64)
    default: break
    }
    for operand in operands where operand.isCollection { throw unsupported("'\(whole)' is about many values.") }
    if let values = constants(operands), function != .randomn {
      return .constant(ExpressionArithmetic.result(of: function, values))
    }
    if operands.contains(where: { if case .constant(.null) = $0 { true } else { false } }) { return .constant(.null) }
    switch function {
    case .add, .subtract, .multiply, .divide: return arithmetic(function, operands[0], operands[1])
    case .cast: return try cast(operands[0], operands[1], whole)
    default: return try bits(function, operands) ?? called(function, operands)
    }
  }

  /// The values of constants; nil if others are among the operands.
  private func constants(_ operands: [Operand]) -> [PredicateValue]? {
    var values: [PredicateValue] = []
    for case .constant(let value) in operands { values.append(value) }
    return values.count == operands.count ? values : nil
  }

  /// A value that no index knows: https://www.sqlite.org/queryplanner-ng.html#howtofix
  private func unindexed(_ operand: Operand) -> Operand {
    switch operand {
    case .column(let text, let kind): .derived("+\(text)", kind)
    case .object(let key, let layout): .derivedObject("+\(key)", layout)
    default: operand
    }
  }

  /// SQLite adds, multiplies and divides by the same rules, as long as decimal numbers are real ones before it does.
  private func arithmetic(_ function: ExpressionFunction, _ left: Operand, _ right: Operand) -> Operand {
    guard let kind = resultKind(of: function, left.family, right.family), let first = realText(left),
      let second = realText(right)
    else { return .constant(.null) }
    let sign =
      switch function {
      case .add: "+"
      case .subtract: "-"
      case .multiply: "*"
      default: "/"
      }
    return .derived("(\(first) \(sign) \(second))", kind)
  }

  /// Dates are seconds: a date and a number give a date, two dates a number.
  private func resultKind(
    of function: ExpressionFunction, _ left: ValueFamily?, _ right: ValueFamily?
  ) -> SlotKind? {
    switch (left, right, function) {
    case (.number, .number, _): .double
    case (.date, .number, .add), (.date, .number, .subtract), (.number, .date, .add): .date
    case (.date, .date, .subtract): .double
    default: nil
    }
  }

  /// SQLite cuts, turns and shifts numbers by rule (13); nil of a decimal number, which may have more digits than it cuts,
  /// and of what SQLite has no operator for.
  private func bits(_ function: ExpressionFunction, _ operands: [Operand]) throws -> Operand? {
    let texts = operands.compactMap { operand in
      operand.family == .number && operand.slotKind != .decimal ? realText(operand) : nil
    }
    guard texts.count == operands.count, let last = texts.last else { return nil }
    let text: SQLStatement
    switch function {
    case .bitwiseAnd: text = "(\(texts[0]) & \(last))"
    case .bitwiseOr: text = "(\(texts[0]) | \(last))"
    case .leftshift: text = "(\(texts[0]) << \(last))"
    case .rightshift: text = "(\(texts[0]) >> \(last))"
    case .onesComplement: text = "(~\(last))"
    default: return nil
    }
    return .derived(text, .double)
  }

  private func realText(_ operand: Operand) -> SQLStatement? {
    if case .constant(let value) = operand {
      guard case .decimal(let decimal) = value else {
        return operand.slotKind.flatMap { StoredValue(value, comparedWith: $0) }.map { "\(bind: $0)" }
      }
      return "\(bind: .real(NSDecimalNumber(decimal: decimal).doubleValue))"
    }
    guard let text = operand.text else { return nil }
    return operand.slotKind == .decimal ? "CAST(\(text) AS REAL)" : text
  }

  private func cast(_ operand: Operand, _ type: Operand, _ whole: ExpressionNode) throws -> Operand {
    guard case .constant(let name) = type else { throw unsupported("the class in '\(whole)' is no constant.") }
    guard let type = name.text.flatMap(CastType.init), let kind = operand.slotKind else { return .constant(.null) }
    if type == .decimal, !kind.isExactDecimal {
      throw unsupported("'\(whole)' may be a decimal number of more digits than SQL holds.")
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
    let text = try valueText(operand, kind, whole)
    return .derived("STRATA_CAST(\(text), \(Int(kind.rawValue)), '\(type.rawValue)')", result)
  }

  /// A function that the engine borrows from memory: behind each argument stands its kind.
  private func called(_ function: ExpressionFunction, _ operands: [Operand]) throws -> Operand {
    let family = function.argumentFamily
    guard operands.allSatisfy({ $0.family == family }) else { return .constant(.null) }
    let arguments = try operands.map { operand -> SQLStatement in
      let kind = operand.slotKind ?? .double
      return "\(try valueText(operand, kind, .value(.null))), \(Int(kind.rawValue))"
    }
    return .derived(
      "\(SQLDialect.functionName(function))(\(arguments.joined(separator: ", ")))",
      function.givesText ? .string : .double)
  }
}

/// Functions of the members of a collection.
extension PredicateCompiler {
  private func aggregate(
    _ function: ExpressionFunction, _ operands: [Operand], _ whole: ExpressionNode
  ) throws -> Operand {
    if function == .mode { throw unsupported("mode: gives a list.") }
    if operands.count == 1, case .members(let members) = operands[0] {
      if function == .count { return try countOfValues(of: members) }
      guard members.member.family != .object else { throw unsupported("'\(whole)' is about objects.") }
      return try collected(function, of: members) ?? .constant(ExpressionArithmetic.result(of: function, members: []))
    }
    var values: [Operand] = []
    for operand in operands {
      if case .members = operand { throw unsupported("'\(whole)' is about members and other values together.") }
      values += members(of: operand) ?? [operand]
    }
    if let constants = constants(values) {
      return .constant(ExpressionArithmetic.result(of: function, members: constants))
    }
    return try listed(function, values, whole)
  }

  /// Members without those that are nil.
  private func countOfValues(of members: MemberQuery) throws -> Operand {
    guard let text = members.member.text else { return count(of: members) }
    return .derived("(SELECT COUNT(\(text)) FROM \(members.scope.from) WHERE \(members.link))", .integer64)
  }

  /// A function of several values of one row.
  private func listed(
    _ function: ExpressionFunction, _ values: [Operand], _ whole: ExpressionNode
  ) throws -> Operand {
    let families = Set(values.compactMap(\.family))
    guard families.count == 1, let family = families.first, family != .object else {
      throw unsupported("'\(whole)' is about values of different kinds.")
    }
    let arguments = try values.map { operand -> SQLStatement in
      let kind = operand.slotKind ?? family.widestKind
      return "\(try valueText(operand, kind, whole)), \(Int(kind.rawValue))"
    }
    let keepsKind = function == .min || function == .max
    let isDecimal = values.contains { $0.slotKind == .decimal }
    if isDecimal, keepsKind || function == .sum, !values.allSatisfy({ $0.slotKind == .decimal }) {
      throw unsupported("'\(whole)' is about decimal and other numbers together.")
    }
    let kind: SlotKind =
      if isDecimal, keepsKind || function == .sum { .decimal } else { keepsKind ? family.widestKind : .double }
    return .derived(
      "\(SQLDialect.functionName(function))_OF(\(arguments.joined(separator: ", ")))", kind)
  }
}

extension Operand {
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
    // Large whole numbers meet real ones exactly in SQL, but as real ones once they are decimal numbers.
    case .integer64: false
    default: ValueFamily(self) != .number && ValueFamily(self) != .text
    }
  }
}

extension ExpressionFunction {
  /// What the arguments of a function of single values have to be.
  fileprivate var argumentFamily: ValueFamily {
    switch self {
    case .uppercase, .lowercase, .canonical, .length: .text
    default: .number
    }
  }

  fileprivate var givesText: Bool { self == .uppercase || self == .lowercase || self == .canonical }
}
