import Foundation

/// Aggregate functions: rule (18).
extension ExpressionArithmetic {
  /// Evaluates `sum:`, `count:`, `min:`, `max:`, `average:`, `median:`, `mode:` or `stddev:`. Ignores nil members, and
  /// those that are not numbers where numbers are required.
  package static func result(of function: ExpressionFunction, members: [PredicateValue]) -> PredicateValue {
    let members = members.filter { $0 != .null }
    switch function {
    case .count: return .integer(Int64(members.count))
    case .sum: return .sum(of: members)
    case .average: return .average(of: members)
    case .min: return members.min { PredicateValue.order($0, $1) == .orderedAscending } ?? .null
    case .max: return members.max { PredicateValue.order($0, $1) == .orderedAscending } ?? .null
    case .median: return median(of: members.compactMap(\.realNumber).sorted())
    case .stddev: return deviation(of: members.compactMap(\.realNumber).sorted())
    case .mode: return mode(of: members.filter(\.isNumber))
    default: return .null
    }
  }

  private static func median(of sorted: [Double]) -> PredicateValue {
    guard !sorted.isEmpty else { return .null }
    let middle = sorted.count / 2
    return .number(sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle])
  }

  /// The population's standard deviation. Adds in sorted order, because rounded sums depend on the order.
  private static func deviation(of numbers: [Double]) -> PredicateValue {
    guard !numbers.isEmpty else { return .null }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return .number((squares / Double(numbers.count)).squareRoot())
  }

  /// The most frequent numbers in ascending order.
  private static func mode(of numbers: [PredicateValue]) -> PredicateValue {
    var runs: [(value: PredicateValue, length: Int)] = []
    for number in numbers.sorted(by: { PredicateValue.order($0, $1) == .orderedAscending }) {
      if let last = runs.last, last.value.equals(number, options: []) {
        runs[runs.count - 1].length += 1
      } else {
        runs.append((number, 1))
      }
    }
    guard let longest = runs.map(\.length).max() else { return .null }
    return .list(runs.filter { $0.length == longest }.map(\.value))
  }
}

extension ExpressionFunction {
  /// Whether the function ranges over the members of a collection.
  package var isAggregate: Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev: true
    default: false
    }
  }
}
