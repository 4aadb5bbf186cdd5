import Foundation

/// Numbers of all widths.
extension PredicateValue {
  /// Whether the value is a number; booleans are 0 and 1.
  package var isNumber: Bool {
    switch self {
    case .bool, .integer, .real, .decimal: true
    default: false
    }
  }

  /// The text of a string or URL.
  package var text: String? {
    switch self {
    case .string(let string): string
    case .url(let url): url.absoluteString
    default: nil
    }
  }

  var wholeNumber: Int64? {
    switch self {
    case .bool(let flag): flag ? 1 : 0
    case .integer(let integer): integer
    default: nil
    }
  }

  var realNumber: Double? {
    switch self {
    case .bool(let flag): flag ? 1 : 0
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .decimal(let decimal): NSDecimalNumber(decimal: decimal).doubleValue
    default: nil
    }
  }

  /// A number truncated to an integer, clamped to 64 bits.
  var cutNumber: Int64? {
    if let wholeNumber { return wholeNumber }
    guard let real = realNumber, !real.isNaN else { return nil }
    return Int64(exactly: real.rounded(.towardZero)) ?? (real < 0 ? .min : .max)
  }

  private var exactNumber: Decimal? {
    if case .decimal(let decimal) = self { return decimal }
    return wholeNumber.map { Decimal($0) }
  }

  /// Compares two numbers; nil if one is not a number or is NaN.
  func numericallyCompared(to other: PredicateValue) -> ComparisonResult? {
    if let left = wholeNumber {
      if let right = other.wholeNumber { return Self.compare(left, right) }
      if case .real(let right) = other { return Self.compare(left, right) }
    } else if case .real(let left) = self, let right = other.wholeNumber {
      return Self.compare(right, left).map(Self.reversed)
    }
    if let left = exactNumber, let right = other.exactNumber { return Self.compare(left, right) }
    guard let left = realNumber, let right = other.realNumber else { return nil }
    return Self.compare(left, right)
  }

  /// Compares without rounding: above 2^53 a `Double` cannot represent every integer.
  private static func compare(_ left: Int64, _ right: Double) -> ComparisonResult? {
    if right.isNaN { return nil }
    if right >= 0x1p63 { return .orderedAscending }
    if right < -0x1p63 { return .orderedDescending }
    let whole = right.rounded(.down)
    let order = compare(left, Int64(whole))
    return order == .orderedSame && whole < right ? .orderedAscending : order
  }

  package static func reversed(_ order: ComparisonResult) -> ComparisonResult {
    switch order {
    case .orderedAscending: .orderedDescending
    case .orderedDescending: .orderedAscending
    case .orderedSame: .orderedSame
    }
  }

  /// The value as a summand; text counts as the number that it begins with, or 0.
  private var summand: PredicateValue? {
    if case .string(let text) = self { return .real(NSString(string: text).doubleValue) }
    return isNumber ? self : nil
  }

  /// The sum of all numbers, independent of their order: an integer while all are and it does not overflow, otherwise
  /// decimal or real; 0 without numbers, nil for infinities of both signs.
  package static func sum(of values: [PredicateValue]) -> PredicateValue {
    let numbers = values.compactMap(\.summand)
    let wholes = numbers.compactMap(\.wholeNumber)
    if wholes.count == numbers.count {
      let total = wholes.reduce(Int128(0)) { $0 + Int128($1) }
      return Int64(exactly: total).map(PredicateValue.integer) ?? .real(Double(total))
    }
    let decimals = numbers.compactMap(\.exactNumber)
    if decimals.count == numbers.count { return .decimal(decimals.reduce(0, +)) }
    return number(realSum(of: numbers))
  }

  /// Adds reals in sorted order, because the rounded sum depends on the order.
  private static func realSum(of numbers: [PredicateValue]) -> Double {
    numbers.compactMap(\.realNumber).sorted().reduce(0, +)
  }

  /// A real as a value: NaN becomes nil, as in a store.
  package static func number(_ real: Double) -> PredicateValue { real.isNaN ? .null : .real(real) }

  /// The average of all numbers as a real; nil without numbers.
  package static func average(of values: [PredicateValue]) -> PredicateValue {
    let numbers = values.compactMap(\.summand)
    return numbers.isEmpty ? .null : number(realSum(of: numbers) / Double(numbers.count))
  }
}

extension NSNumber {
  /// The number as a decimal; `NaN` for infinity, where Foundation traps.
  package var decimal: Decimal {
    self is NSDecimalNumber || doubleValue.isFinite ? decimalValue : .nan
  }
}
