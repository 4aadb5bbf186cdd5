import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// IN.
extension PredicateCompiler {
  func membership(
    _ left: Operand, _ right: Operand, _ options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    switch right {
    case .constant(.null): return constant(!holds)
    case .constant(.list(let values)):
      return try membership(left, values, options, holds: holds)
    case .list(let operands):
      let conditions = try operands.map { try equality(left, $0, options, holds: holds) }
      return conditions.isEmpty ? constant(!holds) : joined(conditions[...], holds ? " OR " : " AND ")
    case .members(let members):
      return members.exists(holds, where: try equality(members.member, left, options, holds: true))
    default:
      guard right.family == .text, left.family == .text || left.isNull else {
        throw unsupported("IN needs a list, a to-many key path, or a text for a text on its right side.")
      }
      return try text(right, .contains, left, options, holds: holds)
    }
  }

  private func membership(
    _ left: Operand, _ values: [PredicateValue], _ options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    guard let text = left.text else { throw toManyWithoutQuantifier() }
    let bindings = try values.compactMap { try storedValue($0, with: left, options) }
    let holdsNull = values.holdNull
    if bindings.isEmpty, holdsNull { return holds ? "\(text) IS NULL" : "\(text) IS NOT NULL" }
    if bindings.isEmpty { return constant(!holds) }
    let side = folded(text, left, options)
    let list = try list(of: bindings)
    guard holdsNull else { return settled("\(side) IN (\(list))", holds: holds) }
    return holds
      ? "(\(side) IN (\(list)) OR \(text) IS NULL)"
      : "(\(side) NOT IN (\(list)) AND \(text) IS NOT NULL)"
  }

  /// What stands in the brackets of IN. Lengths are rounded up, so that lists of about one length share a statement.
  private func list(of values: [StoredValue]) throws -> SQLStatement {
    if values.count > longestSpelled, let list = StoredList(values) {
      return SQLStatement(SQLDialect.members, [.list(list)])
    }
    guard values.count <= dialect.mostBindings else {
      throw unsupported(
        "a list of \(values.count) members is longer than \(dialect.mostBindings); fetch in several parts.")
    }
    var padded = values
    if values.count > 8, let last = values.last {
      let length = min(1 << (Int.bitWidth - (values.count - 1).leadingZeroBitCount), dialect.mostBindings)
      padded += repeatElement(last, count: length - values.count)
    }
    return SQLStatement(repeatElement("?", count: padded.count).joined(separator: ", "), padded)
  }

  /// The members of a list; nil if the operand is none.
  func members(of operand: Operand) -> [Operand]? {
    switch operand {
    case .constant(.list(let values)): values.map(Operand.constant)
    case .list(let operands): operands
    default: nil
    }
  }
}

extension Operand {
  fileprivate var isNull: Bool { if case .constant(.null) = self { true } else { false } }
}

extension [PredicateValue] {
  var holdNull: Bool { contains { if case .null = $0 { true } else { false } } }
}
