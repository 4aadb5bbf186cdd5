import Foundation

/// Functions of single values, for evaluation in memory and for SQL functions: evaluation rules (13) to (17).
package enum ExpressionArithmetic {
  /// Evaluates a function of single values: `.null` if an argument is nil, of the wrong kind or outside of the domain.
  /// - Parameter arguments: as many as the function takes; for `castObject:toType:` the value and the class name.
  package static func result(of function: ExpressionFunction, _ arguments: [PredicateValue]) -> PredicateValue {
    switch arguments.count {
    case 0: function == .random ? .integer(Int64(UInt32.random(in: 0...UInt32(Int32.max)))) : .null
    case 1: result(of: function, arguments[0])
    default: result(of: function, arguments[0], arguments[1])
    }
  }

  /// Evaluates a function of one value.
  package static func result(of function: ExpressionFunction, _ value: PredicateValue) -> PredicateValue {
    switch function {
    case .noindex: value
    case .uppercase: value.text.map { .string($0.uppercased()) } ?? .null
    case .lowercase: value.text.map { .string($0.lowercased()) } ?? .null
    case .canonical:
      value.text.map { .string(PredicateText.folded($0, options: [.caseInsensitive, .diacriticInsensitive])) } ?? .null
    case .length: value.text.map { .integer(Int64($0.utf16.count)) } ?? .null
    case .onesComplement: value.cutNumber.map { .integer(~$0) } ?? .null
    case .randomn: random(below: value)
    case .floor, .ceiling, .trunc, .abs: rounded(value, by: function)
    default: value.realNumber.map { real(of: function, $0) } ?? .null
    }
  }

  private static func random(below limit: PredicateValue) -> PredicateValue {
    guard let limit = limit.cutNumber, limit > 0 else { return .null }
    return .integer(Int64.random(in: 0..<limit))
  }

  private static func rounded(_ value: PredicateValue, by function: ExpressionFunction) -> PredicateValue {
    if let whole = value.wholeNumber {
      guard function == .abs, whole < 0 else { return .integer(whole) }
      return whole == .min ? .real(0x1p63) : .integer(-whole)
    }
    guard let real = value.realNumber else { return .null }
    switch function {
    case .floor: return number(real.rounded(.down))
    case .ceiling: return number(real.rounded(.up))
    case .trunc: return number(real.rounded(.towardZero))
    default: return number(Swift.abs(real))
    }
  }

  private static func real(of function: ExpressionFunction, _ value: Double) -> PredicateValue {
    switch function {
    case .sqrt: number(value.squareRoot())
    case .log: value > 0 ? number(log10(value)) : .null
    case .ln: value > 0 ? number(Foundation.log(value)) : .null
    case .exp: number(Foundation.exp(value))
    default: .null
    }
  }

  /// Maps NaN to nil.
  private static func number(_ real: Double) -> PredicateValue { real.isNaN ? .null : .real(real) }
}

/// Functions of two values.
extension ExpressionArithmetic {
  package static func result(
    of function: ExpressionFunction, _ left: PredicateValue, _ right: PredicateValue
  ) -> PredicateValue {
    switch function {
    case .add, .subtract: sum(by: function, left, right)
    case .multiply, .divide: product(by: function, left, right)
    case .raise:
      // Ignores the sign of zero, which SQLite columns do not preserve: otherwise odd negative powers would differ.
      if let base = left.realNumber, let power = right.realNumber {
        number(pow(base == 0 ? 0 : base, power))
      } else {
        .null
      }
    case .cast: right.text.flatMap { CastType(rawValue: $0)?.cast(left) } ?? .null
    default:
      if let left = left.cutNumber, let right = right.cutNumber { whole(by: function, left, right) } else { .null }
    }
  }

  /// Dates count as seconds: a date and a number give a date, two dates a number.
  private static func sum(
    by function: ExpressionFunction, _ left: PredicateValue, _ right: PredicateValue
  ) -> PredicateValue {
    switch (left, right) {
    case (.date(let date), .date(let other)):
      return function == .subtract ? number(date.timeIntervalSince(other)) : .null
    case (.date(let date), _):
      guard let seconds = right.realNumber else { return .null }
      return .date(date.addingTimeInterval(function == .add ? seconds : -seconds))
    case (_, .date(let date)):
      guard function == .add, let seconds = left.realNumber else { return .null }
      return .date(date.addingTimeInterval(seconds))
    default: return product(by: function, left, right)
    }
  }

  /// Two integers give an integer unless it overflows, all others a real.
  private static func product(
    by function: ExpressionFunction, _ left: PredicateValue, _ right: PredicateValue
  ) -> PredicateValue {
    if let left = left.wholeNumber, let right = right.wholeNumber {
      if function == .divide, right == 0 { return .null }
      let (whole, overflows) =
        switch function {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        default: left.dividedReportingOverflow(by: right)
        }
      if !overflows { return .integer(whole) }
    }
    guard let left = left.realNumber, let right = right.realNumber else { return .null }
    switch function {
    case .add: return number(left + right)
    case .subtract: return number(left - right)
    case .multiply: return number(left * right)
    default: return right == 0 ? .null : number(left / right)
    }
  }

  private static func whole(by function: ExpressionFunction, _ left: Int64, _ right: Int64) -> PredicateValue {
    switch function {
    case .modulus: right == 0 ? .null : .integer(left.remainderReportingOverflow(dividingBy: right).partialValue)
    case .bitwiseAnd: .integer(left & right)
    case .bitwiseOr: .integer(left | right)
    case .bitwiseXor: .integer(left ^ right)
    case .leftshift: .integer(left << right)
    case .rightshift: .integer(left >> right)
    default: .null
    }
  }
}
